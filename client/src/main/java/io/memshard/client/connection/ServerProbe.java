// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.link.Exchange;
import io.memshard.client.link.Link;
import io.memshard.client.link.LinkContext;
import io.memshard.client.link.LinkFailure;
import io.memshard.client.link.LinkOpener;
import io.memshard.client.protocol.MetaNoop;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a server responds: connects, authenticates, waits for the answer to {@code mn}, or to a {@code get} in
 * classic text, and then for the answers to {@value #READS} reads. Then closes the connection.
 *
 * <p>The reads are there because a greeting proves little: a proxy answers {@code mn} itself. Two of them, one after
 * the other, because a server may answer the first command of a connection and no other. An error is an answer.
 *
 * <p>The connections of callers are left alone. What is in flight on them says nothing about the server now, and a
 * socket of its own proves that others can be opened.
 *
 * <p>Threading: one probe at a time, on a connecting thread.
 */
final class ServerProbe {

    /** Maximum time to wait until the socket is closed. */
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int READS = 2;

    private final LinkContext context;
    private final LinkOpener opener;
    private final Handshake handshake;

    ServerProbe(LinkContext context, LinkOpener opener, Handshake.Dependencies dependencies) {
        this.context = context;
        this.opener = opener;
        handshake = new Handshake(context, opener, (link, cause) -> {}, dependencies);
    }

    /** Returns why there was no answer within the time to connect; null if there was one. */
    @Nullable
    String run() {
        try {
            opener.prepare();
            long deadline =
                    System.nanoTime() + context.options().connectTimeout().toNanos();
            Link link = handshake.open(deadline);
            try {
                for (int i = 0; i < READS; i++) {
                    read(link, deadline);
                }
            } finally {
                link.close();
                link.awaitClosed(System.nanoTime() + CLOSE_NANOS);
            }
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "the client is closed";
        } catch (AuthenticationRefusedException e) {
            // It is there. Callers are to learn that their credentials are refused.
            return null;
        } catch (IOException | RuntimeException | Error e) {
            return LinkFailure.describe(e);
        }
    }

    private void read(Link link, long deadlineNanos) throws IOException {
        Exchange<?> exchange = new Exchange<>(MetaNoop.read(), context);
        try {
            link.call(exchange, deadlineNanos);
        } catch (MemcachedException e) {
            if (exchange.command.errorReply() == null) {
                throw new IOException("it answered the greeting and no read: " + LinkFailure.describe(e), e);
            }
        }
    }
}
