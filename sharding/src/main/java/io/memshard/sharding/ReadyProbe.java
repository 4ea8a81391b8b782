package io.memshard.sharding;

import io.memshard.sharding.ConnectionChooser.Candidates;

/** What the choosers do when their first choice is not ready. */
final class ReadyProbe {

    private ReadyProbe() {}

    /** {@code first} if it is ready, else the next ready index after it, around the array. */
    static int firstReadyFrom(int first, Candidates candidates) {
        if (candidates.isReady(first)) {
            return first;
        }
        int size = candidates.size();
        for (int step = 1; step < size; step++) {
            int index = (first + step) % size;
            if (candidates.isReady(index)) {
                return index;
            }
        }
        return ConnectionChooser.NONE;
    }
}
