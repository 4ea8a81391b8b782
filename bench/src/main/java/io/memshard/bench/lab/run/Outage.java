// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.result.BenchException;
import io.memshard.bench.server.PlainSocket;
import io.memshard.testkit.MemcachedProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Three memcached processes, the first of which has an outage in the second third of a measurement. This process is
 * stopped and resumed, or killed and replaced by an empty one on the same port. The JVM that measures calls {@link
 * #begin}. The JVM that has started this JVM calls the other methods.
 *
 * <p>Failure: {@link #close} kills all processes, and then throws an exception if the outage was not complete.
 */
final class Outage implements AutoCloseable {

    private static final int SERVERS = 3;

    private final boolean isKill;
    private final long thirdMillis;
    private final Processors processors;
    private final List<MemcachedProcess> servers = new ArrayList<>();
    private final ServerSocket begun;
    private final Thread thread = new Thread(this::run, "outage");
    private boolean isClosed;
    private @Nullable Exception failure;

    Outage(Condition condition, Duration window, Processors processors) throws IOException {
        this.isKill = condition.text(Condition.OUTAGE, "").equals(Condition.KILL);
        this.thirdMillis = window.toMillis() / BySecond.PARTS.size();
        this.processors = processors;
        this.begun = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        try {
            for (int i = 0; i < SERVERS; i++) {
                servers.add(LabServer.memcached(Experiment.WORKERS, processors));
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
        thread.setDaemon(true);
        thread.start();
    }

    /** Notifies the outage at {@code address} that the measurement begins. An empty address means no outage. */
    static void begin(String address) throws IOException {
        if (!address.isEmpty()) {
            InetSocketAddress begun = PlainSocket.parse(address);
            new Socket(begun.getAddress(), begun.getPort()).close();
        }
    }

    String address() {
        return begun.getInetAddress().getHostAddress() + ":" + begun.getLocalPort();
    }

    /** Returns the addresses of the servers, separated by commas. */
    String servers() {
        return servers.stream()
                .map(server -> server.host() + ":" + server.port())
                .collect(Collectors.joining(","));
    }

    /** Returns whether the measurement has begun, but the outage is not complete. */
    synchronized boolean hasBegun() {
        return failure != null;
    }

    private void run() {
        MemcachedProcess first = servers.get(0);
        try {
            begun.accept().close();
            step(() -> failure = new IllegalStateException("the measurement ended before the outage"));
            Thread.sleep(thirdMillis);
            step(isKill ? first::kill : first::stop);
            Thread.sleep(thirdMillis);
            step(isKill ? first::restart : first::resume);
            step(() -> failure = null);
            processors.moveServer(first.pid());
        } catch (IOException | InterruptedException e) {
            // The outage was closed.
        } catch (RuntimeException e) {
            step(() -> failure = e);
        }
    }

    /** Takes a step, unless the processes are killed already. */
    private synchronized void step(Runnable step) {
        if (!isClosed) {
            step.run();
        }
    }

    @Override
    public void close() throws IOException {
        Exception found;
        synchronized (this) {
            isClosed = true;
            servers.forEach(MemcachedProcess::close);
            found = failure;
        }
        thread.interrupt();
        begun.close();
        if (found != null) {
            throw new BenchException("the outage failed: " + found.getMessage(), found);
        }
    }
}
