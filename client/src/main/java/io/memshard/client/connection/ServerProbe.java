// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.link.Link;
import io.memshard.client.link.LinkContext;
import io.memshard.client.link.LinkFailure;
import io.memshard.client.link.LinkOpener;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks a server whether it is there: connects, authenticates, and waits for the answer to {@code mn}, or to a {@code
 * get} in classic text. Then closes the connection.
 *
 * <p>The connections of callers are left alone. What is in flight on them says nothing about the server now, and a
 * socket of its own proves that others can be opened.
 *
 * <p>Threading: one probe at a time, on a connecting thread.
 */
final class ServerProbe {

    /** How long to wait at most until the socket is closed. */
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LinkContext context;
    private final LinkOpener opener;
    private final Handshake handshake;

    ServerProbe(LinkContext context, LinkOpener opener, Handshake.Means means) {
        this.context = context;
        this.opener = opener;
        handshake = new Handshake(context, opener, (link, cause) -> {}, means);
    }

    /** Why there was no answer within the time to connect; null if there was one. */
    @Nullable
    String run() {
        try {
            opener.prepare();
            Link link = handshake.open(
                    System.nanoTime() + context.options().connectTimeout().toNanos());
            link.close();
            link.awaitClosed(System.nanoTime() + CLOSE_NANOS);
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
}
