// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.compare;

import io.memshard.bench.contender.ContenderKind;
import io.memshard.bench.result.ComparisonResult;
import java.util.ArrayList;
import java.util.List;

/**
 * A contender with its number of connections, as it takes part in a comparison. The first participant is the
 * baseline, to which ratios are formed. The second is the same contender once more: the spread of its ratio tells
 * which differences mean nothing.
 *
 * <p>Threading: immutable.
 *
 * @param label name in results
 * @param kind what is opened
 * @param connections for the array in it; of no meaning to other kinds
 */
record Participant(String label, ContenderKind kind, int connections) {

    /**
     * The participants for {@code kinds}: arrays once for each number of connections, others once.
     *
     * @param kinds at least one
     * @param connections at least one
     */
    static List<Participant> of(List<ContenderKind> kinds, List<Integer> connections) {
        List<Participant> participants = new ArrayList<>();
        ContenderKind baseline = baseline(kinds);
        participants.add(new Participant(baseline.label(), baseline, connections.get(0)));
        participants.add(new Participant(baseline.label() + ComparisonResult.AGAIN, baseline, connections.get(0)));
        for (ContenderKind kind : kinds) {
            for (int number : kind.isArray() ? connections : connections.subList(0, 1)) {
                Participant participant = new Participant(kind.label(), kind, number);
                if (!participants.contains(participant)) {
                    participants.add(participant);
                }
            }
        }
        return List.copyOf(participants);
    }

    /** The kind that runs twice: {@link ContenderKind#CONNECTION} if it is there, else the first. */
    static ContenderKind baseline(List<ContenderKind> kinds) {
        return kinds.contains(ContenderKind.CONNECTION) ? ContenderKind.CONNECTION : kinds.get(0);
    }
}
