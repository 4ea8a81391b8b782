// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.link.Exchange;
import io.memshard.client.link.Link;
import io.memshard.client.link.LinkContext;
import io.memshard.client.link.LinkFailure;
import io.memshard.client.link.LinkOpener;
import io.memshard.client.link.ServerFullException;
import io.memshard.client.protocol.MetaNoop;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Probe that checks whether a server responds. It connects, authenticates, and waits for the answer to {@code mn}, or
 * to a {@code get} in classic text. It then waits for the answers to {@value #READS} reads, and closes the connection.
 *
 * <p>The reads are needed because a greeting proves little: a proxy answers {@code mn} itself. There are two, one after
 * the other, because a server may answer only the first command of a connection. An error reply counts as an answer.
 *
 * <p>The probe does not use the connections of callers. Commands in flight on them say nothing about the current state
 * of the server. A separate socket also proves that sockets can be opened.
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

    /** Returns why there was no answer within the connect timeout; null if there was one. */
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
            // The server responds. Callers have to learn that their credentials are refused.
            return null;
        } catch (IOException | RuntimeException | Error e) {
            // A full server responds too, and may serve the connections that are open.
            return ServerFullException.isCauseOf(e) ? null : LinkFailure.describe(e);
        }
    }

    private void read(Link link, long deadlineNanos) throws IOException {
        Exchange<?> exchange = new Exchange<>(MetaNoop.read(), context);
        try {
            link.call(exchange, deadlineNanos);
        } catch (MemcachedException e) {
            if (exchange.command.errorReply() == null) {
                throw new IOException("the server answered the handshake, but no get: " + LinkFailure.describe(e), e);
            }
        }
    }
}
