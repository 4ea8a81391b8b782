// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.server;

import io.memshard.bench.result.ProcessFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Proxy that imitates a network: it forwards bytes in each direction half a round trip later. Threads wake up a little
 * late, so measure the actual round trip with {@link PlainSocket#roundTripMicros}.
 */
public final class DelayingProxy implements AutoCloseable {

    private static final int PORTION_BYTES = 64 * 1024;

    private final InetSocketAddress target;
    private final long delayNanos;
    private final ServerSocket acceptor;

    private interface Work {
        void run() throws IOException;
    }

    public DelayingProxy(InetSocketAddress target, int roundTripMicros) throws IOException {
        this.target = target;
        this.delayNanos = TimeUnit.MICROSECONDS.toNanos(roundTripMicros) / 2;
        this.acceptor = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
        daemon(quiet(this::accept)).start();
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) acceptor.getLocalSocketAddress();
    }

    private static Thread daemon(Runnable run) {
        Thread thread = new Thread(run, "delaying-proxy");
        thread.setDaemon(true);
        return thread;
    }

    private static Runnable quiet(Work work) {
        return () -> {
            try {
                work.run();
            } catch (IOException e) {
                // The next read or write of the other thread fails too.
            }
        };
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = acceptor.accept();
            try {
                Socket server = new Socket(target.getAddress(), target.getPort());
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                daemon(quiet(() -> forward(client, server))).start();
                daemon(quiet(() -> forward(server, client))).start();
            } catch (IOException e) {
                client.close();
            }
        }
    }

    private void forward(Socket from, Socket to) throws IOException {
        ScheduledExecutorService network = Executors.newSingleThreadScheduledExecutor(writes -> daemon(() -> {
            ProcessFiles.wakePrecisely();
            writes.run();
        }));
        byte[] buffer = new byte[PORTION_BYTES];
        try {
            for (int read = from.getInputStream().read(buffer);
                    read >= 0;
                    read = from.getInputStream().read(buffer)) {
                byte[] portion = Arrays.copyOf(buffer, read);
                schedule(network, () -> to.getOutputStream().write(portion));
            }
        } finally {
            schedule(network, to::shutdownOutput);
            network.shutdown(); // Ends after the scheduled writes.
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // A write that fails has ended its direction.
    private void schedule(ScheduledExecutorService network, Work work) {
        network.schedule(quiet(work), delayNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() throws IOException {
        acceptor.close();
    }

    /** Runs a proxy with the arguments {@code HOST:PORT MICROSECONDS}, until the standard input ends. */
    public static void main(String[] arguments) throws IOException {
        try (DelayingProxy proxy = new DelayingProxy(PlainSocket.parse(arguments[0]), Integer.parseInt(arguments[1]))) {
            System.out.println(proxy.address().getPort());
            System.out.flush();
            while (System.in.read() >= 0) {
                // The input is ignored; only its end counts.
            }
        }
    }
}
