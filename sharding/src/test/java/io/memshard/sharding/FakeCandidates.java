// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding;

import java.util.Arrays;

/** Connections to choose from, whose states a test sets. */
final class FakeCandidates implements ConnectionChooser.Candidates {

    private final boolean[] ready;
    private final int[] inFlight;

    FakeCandidates(int size) {
        ready = new boolean[size];
        inFlight = new int[size];
        Arrays.fill(ready, true);
    }

    FakeCandidates notReady(int... indices) {
        for (int index : indices) {
            ready[index] = false;
        }
        return this;
    }

    FakeCandidates inFlight(int index, int commands) {
        inFlight[index] = commands;
        return this;
    }

    @Override
    public int size() {
        return ready.length;
    }

    @Override
    public boolean isReady(int index) {
        return ready[index];
    }

    @Override
    public int inFlight(int index) {
        return inFlight[index];
    }
}
