// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.link.ConnectionOptions;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.MetaNoop;
import io.memshard.client.sender.SendMode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Races between two callers on one connection. When one stops reading, the other has to read. */
final class LinkStress {

    /** Time limit that a waiting caller reaches only if its wake-up was lost. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final Connection CONNECTION = connect();

    private LinkStress() {}

    private static Connection connect() {
        try {
            ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            Thread server = new Thread(() -> answer(listener), "server");
            server.setDaemon(true);
            server.start();
            ServerAddress address = new ServerAddress("127.0.0.1", listener.getLocalPort());
            ConnectionOptions options = new ConnectionOptions();
            options.protocol = Protocol.META;
            return new ConnectionGroup(options, 1).newConnection(address, 0, Transport.CALLER_DRIVEN);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Answers each {@code mn}, the only command that the client sends. */
    private static void answer(ServerSocket listener) {
        byte[] requests = new byte[4096];
        byte[] reply = {'M', 'N', '\r', '\n'};
        try (Socket socket = listener.accept()) {
            socket.setTcpNoDelay(true);
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            for (int read = in.read(requests); read > 0; read = in.read(requests)) {
                for (int i = 0; i < read; i++) {
                    if (requests[i] == '\n') {
                        out.write(reply);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isPrompt(Supplier<?> call) {
        long start = System.nanoTime();
        try {
            call.get();
        } catch (MemcachedTimeoutException | CompletionException e) {
            return false;
        }
        return System.nanoTime() - start < PATIENCE.toNanos();
    }

    private static boolean call() {
        return isPrompt(() -> CONNECTION.call(new MetaNoop(), 2 * PATIENCE.toNanos()));
    }

    private static boolean callLater() {
        return isPrompt(() -> CONNECTION.send(new MetaNoop(), SendMode.AWAITED).await(2 * PATIENCE.toNanos()));
    }

    private static boolean ask() {
        return isPrompt(() -> CONNECTION
                .send(new MetaNoop())
                .toFuture(PATIENCE.multipliedBy(2))
                .join());
    }

    /** One caller reads until its own reply arrives; then the other caller has to read. */
    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Both have their replies.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A caller waited, but no thread read for it.")
    @State
    public static class TwoCallers {

        @Actor
        public void one(ZZ_Result result) {
            result.r1 = call();
        }

        @Actor
        public void other(ZZ_Result result) {
            result.r2 = call();
        }
    }

    /** One caller stops reading while the other, which has already sent its command, begins to wait. */
    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Both have their replies.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A caller waited, but no thread read for it.")
    @State
    public static class CallerAndExpectedCaller {

        @Actor
        public void caller(ZZ_Result result) {
            result.r1 = call();
        }

        @Actor
        public void expected(ZZ_Result result) {
            result.r2 = callLater();
        }
    }

    /** One caller stops reading while another thread sends a command and does not wait for the reply. */
    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Both have their replies.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A command was sent, but no thread read its reply.")
    @State
    public static class CallerAndFuture {

        @Actor
        public void caller(ZZ_Result result) {
            result.r1 = call();
        }

        @Actor
        public void asker(ZZ_Result result) {
            result.r2 = ask();
        }
    }
}
