// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.memshard.Memshard;
import io.memshard.client.TimeToLive;
import io.memshard.testkit.ClosedPort;
import io.memshard.testkit.EmbeddedMemcached;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DelayingProxyTest {

    private final EmbeddedMemcached server = EmbeddedMemcached.start();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void bytesArriveWholeAndInOrderHoweverMany() throws Exception {
        byte[] value = new byte[1_000_000];
        new Random(1).nextBytes(value);
        try (DelayingProxy proxy = new DelayingProxy(server.address(), 200);
                Memshard memshard = Memshard.builder()
                        .servers("127.0.0.1:" + proxy.address().getPort())
                        .requestTimeout(Duration.ofSeconds(60))
                        .build()) {
            memshard.client().set("key", value, TimeToLive.NEVER);

            assertThat(memshard.client().get("key")).isEqualTo(value);
        }
    }

    @Test
    void anAnswerTakesAtLeastTheRoundTrip() throws Exception {
        try (DelayingProxy proxy = new DelayingProxy(server.address(), 20_000);
                PlainSocket socket = new PlainSocket(proxy.address())) {
            long start = System.nanoTime();
            socket.version();

            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(20_000_000L);
        }
    }

    @Test
    void aConnectionThatTheServerEndsIsEndedForTheClient() throws Exception {
        try (DelayingProxy proxy = new DelayingProxy(server.address(), 200);
                PlainSocket socket = new PlainSocket(proxy.address())) {
            socket.version();
            server.close();

            assertThatIOException().isThrownBy(socket::version).withMessageContaining("closed the connection");
        }
    }

    @Test
    void anUnreachableServerClosesTheConnection() throws Exception {
        try (ClosedPort closed = new ClosedPort();
                DelayingProxy proxy = new DelayingProxy(closed.address(), 200);
                PlainSocket socket = new PlainSocket(proxy.address())) {
            assertThatIOException().isThrownBy(socket::version);
        }
    }
}
