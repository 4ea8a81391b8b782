// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding;

import java.util.concurrent.ThreadLocalRandom;

/** Chooser of {@link ConnectionChooser#leastInFlight()}. */
final class LeastInFlightChooser implements ConnectionChooser {

    @Override
    public int choose(Candidates candidates) {
        int size = candidates.size();
        if (size == 1) {
            return candidates.firstReadyFrom(0);
        }
        ThreadLocalRandom random = ThreadLocalRandom.current();
        int one = random.nextInt(size);
        int other = (one + 1 + random.nextInt(size - 1)) % size;
        boolean oneReady = candidates.isReady(one);
        boolean otherReady = candidates.isReady(other);
        if (oneReady && otherReady) {
            return candidates.inFlight(other) < candidates.inFlight(one) ? other : one;
        }
        return candidates.firstReadyFrom(oneReady ? one : other);
    }
}
