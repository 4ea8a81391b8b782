// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.variant.ArmDriver;
import io.memshard.bench.lab.variant.IsolatedArm;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class OpenCmsTest {

    /** More than there are connections, so that pages wait. */
    private static final int THREADS = PageArm.CONNECTIONS + 7;

    private static final int PAGES = 5;

    private static Stream<String> arms() {
        return new OpenCms().armNames().stream();
    }

    @ParameterizedTest
    @MethodSource("arms")
    void everyPageIsTheOneThatWasAskedFor(String name) throws Exception {
        Arm arm = new OpenCms().arm(name);

        Map<String, Double> figures = IsolatedArm.run("opencms", arm, "threads=" + THREADS, PAGES);

        assertThat(figures)
                .containsEntry(ArmDriver.DONE, (double) THREADS * PAGES)
                .containsEntry(ArmDriver.FAILED, 0.0);
    }

    @Test
    void aPageHasFourContentsOfItsOwn() {
        assertThat(PageServer.page(1))
                .isEqualTo("content number 4\ncontent number 5\ncontent number 6\ncontent number 7\n");
        assertThat(PageServer.page(PageServer.ROWS - 1)).isNotEqualTo(PageServer.page(0));
    }
}
