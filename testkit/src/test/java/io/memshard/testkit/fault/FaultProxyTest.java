// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.fault;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.testkit.RawClient;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FaultProxyTest {

    /** Time that a test waits for bytes that must not come. */
    private static final int SILENCE_MILLIS = 100;

    private ScriptedServer server;
    private FaultProxy proxy;
    private RawClient client;

    @BeforeEach
    void connect() throws IOException {
        server = ScriptedServer.start().onConnection(c -> c.replyTo(line -> line + "\r\n"));
        proxy = new FaultProxy(server.address());
        client = new RawClient(proxy.address());
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        proxy.close();
        server.close();
    }

    private String echo(RawClient through, String line) throws IOException {
        through.send(line + "\r\n");
        return through.read(line.length() + 2).strip();
    }

    @Test
    void bytesPassUnchangedInPortionsOfAnySize() throws IOException {
        assertThat(echo(client, "whole")).isEqualTo("whole");
        proxy.slice(1);
        proxy.delay(Duration.ofMillis(1));
        assertThat(echo(client, "sliced")).isEqualTo("sliced");
        assertThat(proxy.connections()).isEqualTo(1);
    }

    @Test
    void connectionIsClosedInsteadOfForwardingTheChosenPortion() throws IOException {
        proxy.hangUp((connection, portion) -> connection == 1 && portion == 1);
        try (RawClient second = new RawClient(proxy.address());
                RawClient third = new RawClient(proxy.address())) {
            assertThat(echo(second, "first")).isEqualTo("first");
            second.send("second\r\n");
            assertThat(second.readToEnd()).isEmpty();
            for (RawClient other : List.of(client, third)) {
                assertThat(echo(other, "first")).isEqualTo("first");
                assertThat(echo(other, "second")).isEqualTo("second");
            }
            assertThat(proxy.connections()).isEqualTo(2);
        }
    }

    @Test
    void corruptChangesOneByteFromTheTargetAndNoneToIt() throws IOException, InterruptedException {
        proxy.corrupt(1);
        String sent = "twelve bytes\r\n";
        client.send(sent);
        String changed = client.read(sent.length());

        assertThat(IntStream.range(0, sent.length()).filter(i -> sent.charAt(i) != changed.charAt(i)))
                .hasSize(1);
        assertThat(server.awaitConnection(0, Duration.ofSeconds(60)).received()).isEqualTo(sent);
        assertThatIllegalArgumentException().isThrownBy(() -> proxy.corrupt(-1)).withMessageContaining("-1");
    }

    @Test
    void swallowLosesAConnectionForGoodAndLetsNewOnesPassAfterwards() throws IOException {
        AtomicInteger portions = new AtomicInteger();
        proxy.hangUp((connection, portion) -> portions.incrementAndGet() < 0);
        proxy.swallow(true);
        client.send("lost\r\n");
        eventually("come to the proxy", () -> portions.get() == 1);
        client.send("so is this, before which the first is lost\r\n");
        eventually("lost", () -> portions.get() == 2);
        client.socket().setSoTimeout(SILENCE_MILLIS);
        assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> client.read(1));
        proxy.swallow(false);
        client.send("as lost\r\n");
        assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> client.read(1));

        try (RawClient another = new RawClient(proxy.address())) {
            assertThat(echo(another, "found")).isEqualTo("found");
        }
    }

    @Test
    void stallHoldsBytesBackAndLosesNone() throws IOException {
        proxy.stall(true);
        client.send("late\r\n");
        client.socket().setSoTimeout(SILENCE_MILLIS);
        assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> client.read(1));
        proxy.stall(false);
        client.socket().setSoTimeout(60_000);

        assertThat(client.read(6)).isEqualTo("late\r\n");
    }

    @Test
    void cutReadsAsTheEndAndResetAsAFailure() throws IOException {
        echo(client, "connected");
        proxy.cutAll();
        assertThat(client.readToEnd()).isEmpty();

        try (RawClient another = new RawClient(proxy.address())) {
            echo(another, "connected");
            proxy.resetAll();
            assertThatExceptionOfType(SocketException.class).isThrownBy(another::readToEnd);
        }
    }
}
