// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.Phase;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.protocol.Command;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.RoutingSender;
import io.memshard.client.sender.SendMode;
import io.memshard.sharding.cluster.MemshardOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sender that borrows a connection for each call. If {@code key} is not null, its server receives all commands. */
record LentSender(
        MemshardOptions options,
        Lender lender,
        @Nullable ServerDownPolicy serverDown,
        @Nullable String key) implements RoutingSender {

    private <T> T lend(Function<CommandSender, T> use) {
        return lender.lend((connections, index) -> use.apply(of(((MemshardConnections) connections).sender(index))));
    }

    private CommandSender of(CommandSender lent) {
        CommandSender sender =
                serverDown != null && lent instanceof RoutingSender servers ? servers.withServerDown(serverDown) : lent;
        return key == null
                ? sender
                : sender.byServer(List.of(key), any -> any).keySet().iterator().next();
    }

    @Override
    public <T> Reply<T> send(Command<T> command, SendMode mode) {
        try {
            return lend(sender -> sender.send(command, mode));
        } catch (MemcachedException e) {
            return Reply.Known.failed(e);
        }
    }

    @Override
    public <T> T call(Command<T> command, long timeoutNanos) {
        return lend(sender -> sender.call(command, timeoutNanos));
    }

    @Override
    public <I> Map<CommandSender, List<I>> byServer(List<I> items, Function<I, String> keyOf) {
        if (key != null || options.servers.size() == 1) {
            return Map.of(this, items);
        }
        Map<CommandSender, List<I>> groups = new LinkedHashMap<>();
        lend(sender -> sender.byServer(items, keyOf))
                .forEach((server, group) ->
                        groups.put(new LentSender(options, lender, serverDown, keyOf.apply(group.get(0))), group));
        return groups;
    }

    @Override
    public CompletableFuture<@Nullable Void> pause(long nanos) {
        return lend(sender -> sender.pause(nanos));
    }

    @Override
    public CommandSender withServerDown(ServerDownPolicy policy) {
        return new LentSender(options, lender, options.check(policy), key);
    }

    @Override
    public CommandSender withRoutingKey(String routingKey) {
        return key == null ? new LentSender(options, lender, serverDown, routingKey) : this;
    }

    @Override
    public CommandContext context(String verb, @Nullable String ofKey, Phase phase) {
        // No connection is borrowed, because the caller might have to wait for one.
        return new CommandContext(options.shownServers(), 0, verb, ofKey, phase, null, options.hideKeys);
    }

    @Override
    public String toString() {
        return key == null ? options.shownServers() : lend(Object::toString);
    }
}
