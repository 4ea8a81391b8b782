// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.concurrent.DaemonThread;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;

/**
 * Opener of links whose callers do the I/O. Links of the same connection index share {@link LinkReader}s, so that one
 * thread reads the replies of several servers. Threading: thread-safe.
 */
public final class CallerDrivenOpener implements LinkOpener {

    private static final int PROCESSORS_PER_READER = 4;
    private static final int MOST_LARGE_BUFFERS = 8;

    private final int readersPerPosition;
    private final ThreadFactory standbyThreads;
    private final Supplier<ReaderLoad> loads;
    private final LargeBuffers largeBuffers =
            new LargeBuffers(Math.min(MOST_LARGE_BUFFERS, Runtime.getRuntime().availableProcessors()));

    /** Readers by connection index. Guarded by this object, like {@link #closed}. */
    private final Map<Integer, List<LinkReader>> readers = new HashMap<>();

    private boolean closed;

    public CallerDrivenOpener() {
        this(
                Math.max(1, Runtime.getRuntime().availableProcessors() / PROCESSORS_PER_READER),
                DaemonThread.factory("memshard-standby"),
                ReaderLoad::new);
    }

    CallerDrivenOpener(int readersPerPosition, ThreadFactory standbyThreads, Supplier<ReaderLoad> loads) {
        this.readersPerPosition = readersPerPosition;
        this.standbyThreads = standbyThreads;
        this.loads = loads;
    }

    @Override
    public Link open(SocketAddress address, LinkContext context, long timeoutNanos, Link.Listener listener)
            throws IOException {
        LinkSocket socket = LinkSocket.connect(address, timeoutNanos, largeBuffers);
        try {
            return open(socket, context, listener);
        } catch (Throwable e) {
            socket.close();
            throw e;
        }
    }

    synchronized Link open(LinkSocket socket, LinkContext context, Link.Listener listener) throws IOException {
        LinkReader reader = reader(context.index());
        CallerDrivenLink link = new CallerDrivenLink(context, socket, listener, reader);
        reader.add(link);
        return link;
    }

    private LinkReader reader(int position) throws IOException {
        if (closed) {
            throw new IllegalStateException("the client is closed");
        }
        List<LinkReader> existing = readers.computeIfAbsent(position, key -> new ArrayList<>());
        existing.removeIf(LinkReader::isClosed);
        if (existing.size() < readersPerPosition) {
            existing.add(new LinkReader(standbyThreads, loads.get()));
        }
        return existing.stream().min(Comparator.comparingInt(LinkReader::size)).orElseThrow();
    }

    @Override
    public void close() {
        readers().forEach(LinkReader::close);
    }

    public void awaitClosed(long deadlineNanos) {
        readers().forEach(reader -> reader.awaitClosed(deadlineNanos));
    }

    private synchronized List<LinkReader> readers() {
        closed = true;
        return readers.values().stream().flatMap(List::stream).toList();
    }
}
