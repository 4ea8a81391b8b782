// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.testkit.ClosedPort;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DelayingProxyTest {

    private static final int PATIENCE_MILLIS = 60_000;

    private final ServerSocket echo = echo();

    private static ServerSocket echo() {
        try {
            return new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void answers() {
        Thread thread = new Thread(() -> {
            while (!echo.isClosed()) {
                try {
                    Socket socket = echo.accept();
                    Thread answering = new Thread(() -> sendBack(socket), "echo");
                    answering.setDaemon(true);
                    answering.start();
                } catch (IOException e) {
                    return;
                }
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private static void sendBack(Socket accepted) {
        try (Socket socket = accepted) {
            socket.getInputStream().transferTo(socket.getOutputStream());
        } catch (IOException e) {
            // The other side hung up.
        }
    }

    @AfterEach
    void stops() throws IOException {
        echo.close();
    }

    /** More than the sockets hold, so that the proxy must wait for them too. */
    @Test
    void bytesArriveWholeAndInOrderHoweverMany() throws Exception {
        byte[] sent = new byte[8 << 20];
        new Random(1).nextBytes(sent);
        try (DelayingProxy proxy = proxy(200);
                Socket socket = connected(proxy)) {
            Thread sender = new Thread(() -> {
                try {
                    socket.getOutputStream().write(sent);
                    socket.shutdownOutput();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            sender.start();

            assertThat(socket.getInputStream().readNBytes(sent.length)).isEqualTo(sent);
            sender.join();
        }
    }

    @Test
    void anAnswerTakesAtLeastTheRoundTrip() throws Exception {
        try (DelayingProxy proxy = proxy(20_000);
                Socket socket = connected(proxy)) {
            long start = System.nanoTime();
            socket.getOutputStream().write(7);

            assertThat(socket.getInputStream().read()).isEqualTo(7);
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(20_000_000L);
        }
    }

    @Test
    void aConnectionThatOneSideEndsIsEndedForTheOther() throws Exception {
        try (DelayingProxy proxy = proxy(200);
                Socket socket = connected(proxy)) {
            socket.shutdownOutput();
            InputStream in = socket.getInputStream();

            assertThat(in.read()).isNegative();
        }
    }

    @Test
    void aServerThatIsNotThereEndsTheConnection() throws Exception {
        try (ClosedPort closed = new ClosedPort();
                DelayingProxy proxy = new DelayingProxy(closed.address(), 200);
                Socket socket = connected(proxy)) {
            assertThat(socket.getInputStream().read()).isNegative();
        }
    }

    @Test
    void aRoundTripOfNothingIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> proxy(0))
                .withMessage("a round trip must be at least 1 us, not 0");
    }

    private DelayingProxy proxy(int micros) throws IOException {
        return new DelayingProxy(new InetSocketAddress(InetAddress.getLoopbackAddress(), echo.getLocalPort()), micros);
    }

    private static Socket connected(DelayingProxy proxy) throws IOException {
        Socket socket = new Socket();
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.connect(proxy.address());
        return socket;
    }
}
