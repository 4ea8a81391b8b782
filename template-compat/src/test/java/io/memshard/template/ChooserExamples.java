// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.sharding.ConnectionChooser;
import java.util.concurrent.atomic.AtomicInteger;

/** Example of a chooser in docs/connections.md. */
final class ChooserExamples {

    private ChooserExamples() {}

    static ConnectionChooser inRuns() {
        AtomicInteger turn = new AtomicInteger();
        ThreadLocal<int[]> places = ThreadLocal.withInitial(() -> new int[2]);
        ConnectionChooser inRuns = candidates -> {
            int[] place = places.get();
            if (place[1]-- == 0) {
                place[0] = turn.getAndIncrement() & Integer.MAX_VALUE;
                place[1] = 15;
            }
            return candidates.firstReadyFrom(place[0] % candidates.size());
        };
        return inRuns;
    }
}
