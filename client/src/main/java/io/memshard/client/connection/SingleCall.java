// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.link.CallerDrivenOpener;
import io.memshard.client.link.EventLoopOpener;
import io.memshard.client.link.Exchange;
import io.memshard.client.link.Link;
import io.memshard.client.link.LinkContext;
import io.memshard.client.link.LinkOpener;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.Command;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Call that sends one command on its own socket, which is closed afterwards. There is no handshake, because
 * configuration endpoints answer few commands. Threading: stateless. The calling thread does the I/O; with TLS, a
 * temporary event loop does the I/O.
 */
public final class SingleCall {

    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private SingleCall() {}

    /** Sends the command in its classic form. The {@code timeout} does not include the lookup of the address. */
    public static <T> T call(ServerAddress server, ConnectionOptions options, Command<T> command, Duration timeout)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime()
                + ConnectionOptions.checkTimeout("timeout", timeout).toNanos();
        LinkContext context = new LinkContext(server, 0, options, Protocol.CLASSIC);
        if (options.tls() == null) {
            try (CallerDrivenOpener opener = new CallerDrivenOpener()) {
                return call(opener, context, command, deadline);
            }
        }
        try (EventLoopOpener opener = new EventLoopOpener(1, options)) {
            return call(opener, context, command, deadline);
        }
    }

    private static <T> T call(LinkOpener opener, LinkContext context, Command<T> command, long deadlineNanos)
            throws IOException, InterruptedException {
        Link link = new Addresses()
                .open(
                        Addresses.ofSystem(context.server()),
                        (address, deadline) ->
                                opener.open(address, context, deadline - System.nanoTime(), (lost, cause) -> {}),
                        deadlineNanos);
        try {
            LinkAuthentication.authenticate(link, context, deadlineNanos);
            return link.call(new Exchange<>(command, context), deadlineNanos);
        } finally {
            link.close();
            link.awaitClosed(System.nanoTime() + CLOSE_NANOS);
        }
    }
}
