// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.link.CallerDrivenOpener;
import io.memshard.client.link.EventLoopOpener;
import io.memshard.client.link.Exchange;
import io.memshard.client.link.Link;
import io.memshard.client.link.LinkContext;
import io.memshard.client.link.LinkOpener;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.testkit.fault.ScriptedServer;
import java.lang.ref.WeakReference;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What an idle link holds: nothing. */
@ParameterizedClass
@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "AUTO")
@Timeout(120)
class IdleLinkIT extends ConnectionFixture {

    private final Transport transport;
    private LinkOpener opener;

    IdleLinkIT(Transport transport) {
        super(transport, Protocol.META);
        this.transport = transport;
    }

    @BeforeEach
    void chooseOpener() {
        opener = transport == Transport.EVENT_LOOP
                ? closedAfterwards(new EventLoopOpener(1, options()))
                : closedAfterwards(new CallerDrivenOpener());
    }

    private static <T> CompletableFuture<T> future(Link link, Exchange<T> exchange) {
        link.send(exchange);
        return exchange.toFuture(LONG);
    }

    /** Or else a large value stays for as long as the connection is idle. */
    @Test
    void idleLinkKeepsNoCommand() throws Exception {
        ScriptedServer server = answeringServer();
        Link link = opener.open(server.address(), context(server), LONG_NANOS, (lost, cause) -> {});
        closedAfterwards(() -> {
            link.close();
            link.awaitClosed(System.nanoTime() + LONG_NANOS);
        });
        WeakReference<Exchange<?>> last = useOnce(link, context(server));
        long start = System.nanoTime();

        eventually("collected", () -> {
            link.tick(System.nanoTime() + (System.nanoTime() - start) * 20);
            System.gc();
            return last.get() == null;
        });
        assertThat(future(link, new Exchange<>(get("a"), context(server))).get(LONG_NANOS, TimeUnit.NANOSECONDS))
                .isEqualTo("value of a");
        eventually("nothing in flight", () -> link.inFlight() == 0);
    }

    private static WeakReference<Exchange<?>> useOnce(Link link, LinkContext context) {
        Exchange<@Nullable String> exchange = new Exchange<>(get("a"), context);
        link.send(exchange);
        assertThat(exchange.await(LONG_NANOS)).isEqualTo("value of a");
        return new WeakReference<>(exchange);
    }
}
