// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.compare;

import io.memshard.bench.contender.ContenderKind;
import io.memshard.bench.contender.ContenderSettings;
import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.Condition;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Plan of a comparison, and its length. Threading: immutable.
 *
 * @param profile {@code cloud} or {@code physical}
 * @param poolSize number of clients in the pool of Template
 * @param participants contenders, the baseline first
 * @param conditions the conditions in the order in which they run
 * @param forks number of JVMs, one after the other
 * @param rounds number of rounds for each condition in each fork
 * @param slice length of a slice, and of one turn of the warm-up
 * @param warmUps maximum number of turns of a contender before the first round of a condition
 * @param keys number of keys
 * @param seed seed of the shuffled orders and of the keys drawn
 */
record ComparePlan(
        String profile,
        int poolSize,
        List<Participant> participants,
        List<Condition> conditions,
        int forks,
        int rounds,
        Duration slice,
        int warmUps,
        int keys,
        long seed) {

    /** Usual number of warm-up turns before the first condition, when the code is not compiled yet. */
    private static final int USUAL_FIRST_WARM_UPS = 4;

    /** Usual number of warm-up turns before any other condition. */
    private static final int USUAL_WARM_UPS = 3;

    /** Time to start a JVM and a server, and to connect. */
    private static final Duration START_OF_A_FORK = Duration.ofSeconds(2);

    private static final Duration START_OF_A_CONDITION = Duration.ofMillis(500);

    /** Returns a copy with another length of slices. */
    ComparePlan withSlice(Duration length) {
        return new ComparePlan(profile, poolSize, participants, conditions, forks, rounds, length, warmUps, keys, seed);
    }

    /** Returns the number of slices of one fork, without warm-ups. */
    int slicesOfAFork() {
        return conditions.size() * rounds * participants.size();
    }

    /** Returns the settings of {@code participant}. */
    ContenderSettings settingsOf(Participant participant, List<InetSocketAddress> servers) {
        return new ContenderSettings(servers, participant.connections(), poolSize);
    }

    /** Returns the number of sockets that all participants together open to each server for {@code condition}. */
    int socketsFor(Condition condition, List<InetSocketAddress> servers) {
        return participants.stream()
                .mapToInt(participant ->
                        participant.kind().sockets(settingsOf(participant, servers), condition.threads()))
                .sum();
    }

    /** Returns the number of turns, each one slice long, of a contender in a fork with the usual number of warm-ups. */
    int turns() {
        return Math.min(warmUps, USUAL_FIRST_WARM_UPS)
                + (conditions.size() - 1) * Math.min(warmUps, USUAL_WARM_UPS)
                + conditions.size() * rounds;
    }

    /** Returns the duration of the whole comparison with the usual number of warm-ups. */
    Duration length() {
        return slice.multipliedBy((long) participants.size() * turns())
                .plus(START_OF_A_FORK)
                .plus(START_OF_A_CONDITION.multipliedBy(conditions.size()))
                .multipliedBy(forks);
    }

    /** Returns the part of the plan that is stored with the figures. */
    ComparisonResult.Plan toResult(String busy) {
        return new ComparisonResult.Plan(
                profile,
                poolSize,
                forks,
                rounds,
                slice.toMillis(),
                keys,
                seed,
                participants.stream().map(Participant::label).distinct().toList(),
                busy);
    }

    /**
     * Contender with its number of connections, as it takes part in a comparison. The first participant is the baseline
     * of the ratios. The second is the same contender again: the spread of its ratio shows which differences are only
     * noise. Threading: immutable.
     */
    record Participant(String label, ContenderKind kind, int connections) {

        /**
         * Returns the participants for {@code kinds}, the baseline first, followed by its second run. Each kind that is
         * an array has one for each number of connections.
         */
        static List<Participant> of(List<ContenderKind> kinds, List<Integer> connections) {
            List<Participant> participants = new ArrayList<>();
            ContenderKind baseline = baseline(kinds);
            Participant first = of(baseline, connections.get(0));
            participants.add(first);
            participants.add(new Participant(first.label + ComparisonResult.AGAIN, baseline, first.connections));
            for (ContenderKind kind : kinds) {
                for (int number : kind.isArray() ? connections : connections.subList(0, 1)) {
                    Participant participant = of(kind, number);
                    if (!participants.contains(participant)) {
                        participants.add(participant);
                    }
                }
            }
            return List.copyOf(participants);
        }

        private static Participant of(ContenderKind kind, int connections) {
            return new Participant(kind.label(), kind, connections);
        }

        /**
         * Returns the kind that runs twice: {@link ContenderKind#CONNECTION} if it is in {@code kinds}, else the first
         * kind.
         */
        static ContenderKind baseline(List<ContenderKind> kinds) {
            return kinds.contains(ContenderKind.CONNECTION) ? ContenderKind.CONNECTION : kinds.get(0);
        }
    }
}
