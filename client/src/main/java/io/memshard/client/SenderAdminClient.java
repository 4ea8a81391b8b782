package io.memshard.client;

import io.memshard.client.connection.CommandSender;
import io.memshard.client.connection.Reply;
import io.memshard.client.connection.ServerAddress;
import io.memshard.client.exception.MemcachedException;
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

/** The admin client over whatever takes commands for each server. See {@link Clients#admin}. */
final class SenderAdminClient implements AdminClient {

    private final Map<ServerAddress, CommandSender> servers;
    private final long timeoutNanos;

    SenderAdminClient(Map<ServerAddress, ? extends CommandSender> servers, long timeoutNanos) {
        this.servers = Collections.unmodifiableMap(new LinkedHashMap<>(servers));
        this.timeoutNanos = timeoutNanos;
    }

    private <T, R> ServerResults<R> ask(Supplier<Command<T>> commands, Function<T, R> result) {
        long deadline = System.nanoTime() + timeoutNanos;
        Map<ServerAddress, Reply<T>> replies = new LinkedHashMap<>();
        servers.forEach((server, sender) -> replies.put(server, sender.send(commands.get())));
        Map<ServerAddress, R> answers = new LinkedHashMap<>();
        Map<ServerAddress, MemcachedException> failures = new LinkedHashMap<>();
        replies.forEach((server, reply) -> {
            try {
                answers.put(server, result.apply(reply.await(deadline - System.nanoTime())));
            } catch (MemcachedException e) {
                failures.put(server, e);
            }
        });
        return new ServerResults<>(Collections.unmodifiableMap(answers), Collections.unmodifiableMap(failures));
    }

    private <T> ServerResults<T> ask(Supplier<Command<T>> commands) {
        return ask(commands, Function.identity());
    }

    @Override
    public ServerResults<ServerStats> stats() {
        return ask(() -> new Stats(""), ServerStats::new);
    }

    @Override
    public ServerResults<Map<String, String>> stats(StatsGroup group) {
        return ask(() -> new Stats(group.argument));
    }

    @Override
    public ServerResults<String> resetStats() {
        return ask(ServerAction::resetStats);
    }

    @Override
    public ServerResults<String> countPrefixes(boolean on) {
        return ask(() -> ServerAction.countPrefixes(on));
    }

    @Override
    public ServerResults<String> version() {
        return ask(Version::new);
    }

    @Override
    public ServerResults<String> flushAll(Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay is " + delay + ": it is zero (at once) or positive");
        }
        int exptime = Exptime.of(delay, Clock.systemUTC());
        return ask(() -> ServerAction.flushAll(exptime));
    }

    @Override
    public ServerResults<String> verbosity(int level) {
        if (level < 0) {
            throw new IllegalArgumentException("level is " + level + ": it is 0 (errors only) or more");
        }
        return ask(() -> ServerAction.verbosity(level));
    }
}
