// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.admin.AdminClient;
import io.memshard.client.admin.ServerResults;
import io.memshard.client.argument.Exptime;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.OperatorCommand;
import io.memshard.client.protocol.Version;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

record SenderAdminClient(Map<ServerAddress, CommandSender> servers, long timeoutNanos) implements AdminClient {

    private static final List<String> STATS_GROUPS =
            List.of("items", "slabs", "sizes", "settings", "conns", "detail dump");

    private <T> ServerResults<T> query(Supplier<Command<T>> command) {
        long deadlineNanos = System.nanoTime() + timeoutNanos;
        Map<ServerAddress, Reply<T>> replies = new LinkedHashMap<>();
        servers.forEach((server, sender) -> replies.put(server, sender.send(command.get())));
        Map<ServerAddress, T> answers = new LinkedHashMap<>();
        Map<ServerAddress, MemcachedException> failures = new LinkedHashMap<>();
        replies.forEach((server, reply) -> {
            try {
                answers.put(server, reply.await(deadlineNanos - System.nanoTime()));
            } catch (MemcachedException e) {
                failures.put(server, e);
            }
        });
        return new ServerResults<>(Collections.unmodifiableMap(answers), Collections.unmodifiableMap(failures));
    }

    @Override
    public ServerResults<Map<String, String>> stats() {
        return query(() -> OperatorCommand.stats(""));
    }

    @Override
    public ServerResults<Map<String, String>> stats(String group) {
        if (!STATS_GROUPS.contains(Objects.requireNonNull(group, "group is null"))) {
            throw new IllegalArgumentException("group is \"" + group + "\", but must be one of " + STATS_GROUPS);
        }
        return query(() -> OperatorCommand.stats(group));
    }

    @Override
    public ServerResults<String> resetStats() {
        return query(OperatorCommand::resetStats);
    }

    @Override
    public ServerResults<String> countPrefixes(boolean on) {
        return query(() -> OperatorCommand.countPrefixes(on));
    }

    @Override
    public ServerResults<String> version() {
        return query(Version::new);
    }

    @Override
    public ServerResults<String> flushAll(Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay is " + delay + ", but must be zero (at once) or positive");
        }
        int exptime = Exptime.of("delay", delay, Clock.systemUTC());
        return query(() -> OperatorCommand.flushAll(exptime));
    }

    @Override
    public ServerResults<String> verbosity(int level) {
        if (level < 0) {
            throw new IllegalArgumentException("level is " + level + ", but must be 0 (errors only) or more");
        }
        return query(() -> OperatorCommand.verbosity(level));
    }
}
