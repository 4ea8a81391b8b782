// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.admin.AdminClient;
import io.memshard.client.admin.AsyncAdminClient;
import io.memshard.client.admin.ServerResults;
import io.memshard.client.admin.ServerStats;
import io.memshard.client.admin.StatsGroup;
import io.memshard.client.argument.Exptime;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.ServerAction;
import io.memshard.client.protocol.Stats;
import io.memshard.client.protocol.Version;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Query of all servers: the command for each server, and the conversion of the command's result to the answer.
 * {@link AdminClient} and {@link AsyncAdminClient} share these queries.
 *
 * <p>Threading: immutable.
 *
 * @param command supplier of a new command for one server
 * @param answer function from the command's result to the answer
 */
record AdminQuery<T, R>(Supplier<Command<T>> command, Function<T, R> answer) {

    private static <T> AdminQuery<T, T> of(Supplier<Command<T>> command) {
        return new AdminQuery<>(command, Function.identity());
    }

    static AdminQuery<?, ServerStats> stats() {
        return new AdminQuery<>(() -> new Stats(""), ServerStats::new);
    }

    static AdminQuery<?, Map<String, String>> stats(StatsGroup group) {
        return of(() -> new Stats(group.argument()));
    }

    static AdminQuery<?, String> resetStats() {
        return of(ServerAction::resetStats);
    }

    static AdminQuery<?, String> countPrefixes(boolean on) {
        return of(() -> ServerAction.countPrefixes(on));
    }

    static AdminQuery<?, String> version() {
        return of(Version::new);
    }

    static AdminQuery<?, String> flushAll(Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay is " + delay + ": it is zero (at once) or positive");
        }
        int exptime = Exptime.of("delay", delay, Clock.systemUTC());
        return of(() -> ServerAction.flushAll(exptime));
    }

    static AdminQuery<?, String> verbosity(int level) {
        if (level < 0) {
            throw new IllegalArgumentException("level is " + level + ": it is 0 (errors only) or more");
        }
        return of(() -> ServerAction.verbosity(level));
    }

    /**
     * Returns the answer or the failure of each server.
     *
     * @param replies the reply of each server to the {@link #command}, in the order of the results
     * @param result function that returns the result of a reply, or throws its failure
     */
    <S> ServerResults<R> answers(Map<ServerAddress, S> replies, Function<S, T> result) {
        Map<ServerAddress, R> answers = new LinkedHashMap<>();
        Map<ServerAddress, MemcachedException> failures = new LinkedHashMap<>();
        replies.forEach((server, reply) -> {
            try {
                answers.put(server, answer.apply(result.apply(reply)));
            } catch (MemcachedException e) {
                failures.put(server, e);
            }
        });
        return new ServerResults<>(Collections.unmodifiableMap(answers), Collections.unmodifiableMap(failures));
    }
}
