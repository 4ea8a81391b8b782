// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.sharding.ConnectionChooser;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ChooserExamplesTest {

    private static final ConnectionChooser.Candidates THREE_READY = new ConnectionChooser.Candidates() {
        @Override
        public int size() {
            return 3;
        }

        @Override
        public boolean isReady(int index) {
            return true;
        }

        @Override
        public int inFlight(int index) {
            return 0;
        }
    };

    @Test
    void aThreadTakesTheNextConnectionAfterSixteenCommands() {
        ConnectionChooser inRuns = ChooserExamples.inRuns();
        List<Integer> chosen = IntStream.range(0, 64)
                .mapToObj(command -> inRuns.choose(THREE_READY))
                .toList();
        assertThat(chosen)
                .isEqualTo(Stream.of(0, 1, 2, 0)
                        .flatMap(index -> Collections.nCopies(16, index).stream())
                        .toList());
    }
}
