// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.ejection.ServerWatch;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.Phase;
import io.memshard.client.link.LinkContext;
import io.memshard.client.listener.ServerStatus;
import io.memshard.client.protocol.Command;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.SendMode;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Sender that refuses every command, because its server is ejected. The failure says since when and why. Threading:
 * immutable.
 */
final class RefusingSender implements CommandSender {

    private final LinkContext context;
    private final ConnectionGroup group;
    private final ServerWatch watch;

    RefusingSender(LinkContext context, ConnectionGroup group, ServerWatch watch) {
        this.context = context;
        this.group = group;
        this.watch = watch;
    }

    @Override
    public <T> Reply<T> send(Command<T> command, SendMode mode) {
        PendingReply<T> reply = new ObservedReply<>(command, context, group.listener());
        ServerStatus status = watch.status();
        reply.fail(new MemcachedConnectionException(
                "not sent, because the server has been " + status.state() + " since "
                        + status.since().truncatedTo(ChronoUnit.MILLIS) + " (" + status.reason() + ")",
                reply.commandContext(Phase.QUEUED),
                null));
        return reply;
    }

    @Override
    public CompletableFuture<@Nullable Void> pause(long nanos) {
        return group.threads().pause(nanos);
    }

    @Override
    public CommandContext context(String verb, @Nullable String key, Phase phase) {
        return context.forCommand(verb, key, phase);
    }

    @Override
    public String toString() {
        return context.server().toString();
    }
}
