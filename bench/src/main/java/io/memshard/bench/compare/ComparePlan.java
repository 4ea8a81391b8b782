// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.compare;

import io.memshard.bench.contender.ContenderSettings;
import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.Condition;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is compared, and for how long.
 *
 * <p>Threading: immutable.
 *
 * @param profile {@code cloud} or {@code physical}
 * @param poolSize clients in the pool of Template
 * @param participants contenders, the baseline first
 * @param conditions in the order in which they run
 * @param rounds for each condition
 * @param slice length of a slice
 * @param warmUp length of the slice that each contender runs before the first round of a condition, not
 *     counted
 * @param keys number of keys
 * @param seed of orders and keys
 * @param baselineJars class path of another build of Memshard; null if none takes part
 */
record ComparePlan(
        String profile,
        int poolSize,
        List<Participant> participants,
        List<Condition> conditions,
        int rounds,
        Duration slice,
        Duration warmUp,
        int keys,
        long seed,
        @Nullable String baselineJars) {

    /**
     * Before the first condition the code is not compiled yet, so its warm-up is longer by this factor.
     */
    static final int COLD_START_FACTOR = 3;

    Participant baseline() {
        return participants.get(0);
    }

    int slices() {
        return conditions.size() * rounds * participants.size();
    }

    /** What {@code participant} is opened with. */
    ContenderSettings settingsOf(Participant participant, List<InetSocketAddress> servers) {
        return new ContenderSettings(servers, participant.connections(), poolSize, baselineJars);
    }

    /** Sockets that all participants together open to a server for {@code condition}. */
    int socketsFor(Condition condition, List<InetSocketAddress> servers) {
        return participants.stream()
                .mapToInt(participant ->
                        participant.kind().sockets(settingsOf(participant, servers), condition.threads()))
                .sum();
    }

    /** How long the slices and warm-ups take together. */
    Duration length() {
        int warmUps = participants.size() * (conditions.size() - 1 + COLD_START_FACTOR);
        return slice.multipliedBy(slices()).plus(warmUp.multipliedBy(warmUps));
    }

    ComparisonResult.Plan toResult() {
        return new ComparisonResult.Plan(
                profile,
                poolSize,
                rounds,
                slice.toMillis(),
                keys,
                seed,
                participants.stream().map(Participant::label).distinct().toList());
    }
}
