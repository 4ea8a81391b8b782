package io.memshard.bench.compare;

import io.memshard.bench.contender.ContenderKind;
import java.util.ArrayList;
import java.util.List;

/**
 * A place in the race: a contender with its number of connections. The first participant is the baseline that
 * ratios are formed to; the second is the same once more, so that the spread of its ratio tells what
 * difference means nothing.
 *
 * <p>Threading: immutable.
 *
 * @param label name in results
 * @param kind what is opened
 * @param connections for the array in it; of no meaning to other kinds
 */
record Participant(String label, ContenderKind kind, int connections) {

    /** Behind the name of the baseline in its second participant. */
    static final String AGAIN = "-again";

    /**
     * The participants for {@code kinds}: arrays once for each number of connections, others once.
     *
     * @param kinds at least one; the baseline is {@link ContenderKind#CONNECTION} if it is there, else the
     *     first
     * @param connections at least one
     */
    static List<Participant> of(List<ContenderKind> kinds, List<Integer> connections) {
        List<Participant> participants = new ArrayList<>();
        ContenderKind baseline = kinds.contains(ContenderKind.CONNECTION) ? ContenderKind.CONNECTION : kinds.get(0);
        participants.add(new Participant(baseline.label(), baseline, connections.get(0)));
        participants.add(new Participant(baseline.label() + AGAIN, baseline, connections.get(0)));
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
}
