// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A database that is not there: counts the physical connections that pools open and close.
 *
 * <p>Threading: thread-safe. Nothing here is touched between opening and closing a physical connection.
 */
final class StubDatabase {

    private static final Map<String, StubDatabase> BY_NAME = new ConcurrentHashMap<>();

    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger peak = new AtomicInteger();
    private final AtomicInteger total = new AtomicInteger();
    private final Queue<StubConnection> made = new ConcurrentLinkedQueue<>();

    private StubDatabase() {}

    /** The database of that name; made when it is first asked for. */
    static StubDatabase named(String name) {
        return BY_NAME.computeIfAbsent(name, any -> new StubDatabase());
    }

    /** Physical connections that are open now. */
    int open() {
        return open.get();
    }

    /** The most that were open at a time. */
    int peak() {
        return peak.get();
    }

    /** All that were ever opened. */
    int total() {
        return total.get();
    }

    /** Queries that the connections counted, each without care for other threads. */
    long queries() {
        return made.stream().mapToLong(StubConnection::queries).sum();
    }

    StubConnection connect() {
        StubConnection connection = StubConnection.open(this);
        made.add(connection);
        total.incrementAndGet();
        int now = open.incrementAndGet();
        peak.accumulateAndGet(now, Math::max);
        return connection;
    }

    void closed() {
        open.decrementAndGet();
    }
}
