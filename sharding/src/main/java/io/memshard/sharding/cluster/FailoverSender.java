// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.ItemsCommand;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.SendMode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Sender to a server that replaces an ejected server. Operations on many keys group the keys by equal senders. */
record FailoverSender(CommandSender reads, CommandSender writes, int maxSeconds) implements CommandSender {

    private CommandSender of(Command<?> command) {
        return command.asRead() != null ? reads : writes;
    }

    private <T> Command<T> limited(Command<T> command) {
        ItemsCommand<T> items = command.asItems();
        return items == null ? command : items.withExptimeAtMost(maxSeconds);
    }

    @Override
    public <T> Reply<T> send(Command<T> command, SendMode mode) {
        return of(command).send(limited(command), mode);
    }

    @Override
    public <T> T call(Command<T> command, long timeoutNanos) {
        return of(command).call(limited(command), timeoutNanos);
    }

    @Override
    public List<CommandSender> spread(SendMode mode) {
        return reads.equals(writes)
                ? reads.spread(mode).stream()
                        .map(each -> (CommandSender) new FailoverSender(each, each, maxSeconds))
                        .toList()
                : List.of(this);
    }

    @Override
    public CompletableFuture<@Nullable Void> pause(long nanos) {
        return reads.pause(nanos);
    }

    @Override
    public CommandContext context(String verb, @Nullable String key, Phase phase) {
        return reads.context(verb, key, phase);
    }

    @Override
    public String toString() {
        return reads.toString();
    }
}
