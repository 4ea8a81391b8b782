// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.concurrent.Timeouts;
import io.memshard.client.link.CallerDrivenOpener;
import io.memshard.client.link.ConnectionOptions;
import io.memshard.client.link.EventLoopOpener;
import io.memshard.client.link.Exchange;
import io.memshard.client.link.Link;
import io.memshard.client.link.LinkContext;
import io.memshard.client.link.LinkOpener;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.Command;
import java.io.IOException;
import java.time.Duration;

/** Call on its own socket, without a handshake, because configuration endpoints support few commands. */
public final class SingleCall {

    private SingleCall() {}

    /** Sends the command in classic text. The lookup of the address may exceed the {@code timeout}. */
    public static <T> T call(ServerAddress server, ConnectionOptions options, Command<T> command, Duration timeout)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + Timeouts.check("timeout", timeout).toNanos();
        LinkContext context = new LinkContext(server, 0, options, Protocol.CLASSIC);
        try (LinkOpener opener = options.tls == null ? new CallerDrivenOpener() : new EventLoopOpener(1, options)) {
            Link link = new Addresses()
                    .open(
                            Addresses.ofSystem(server),
                            (address, until) ->
                                    opener.open(address, context, until - System.nanoTime(), (lost, cause) -> {}),
                            deadline);
            try {
                Handshake.authenticate(link, context, deadline);
                return link.call(new Exchange<>(command, context), deadline);
            } finally {
                Handshake.close(link);
            }
        }
    }
}
