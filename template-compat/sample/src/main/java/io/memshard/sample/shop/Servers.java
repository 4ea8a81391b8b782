// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.shop;

import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.MemcachedProcess;
import java.util.ArrayList;
import java.util.List;

/**
 * Servers of the shop, in the order of their numbers from 0.
 *
 * <p>Threading: thread-safe.
 *
 * @param all all servers
 */
public record Servers(List<SampleServer> all) implements AutoCloseable {

    /** Largest number of servers that {@link #start} starts. */
    public static final int MAX_COUNT = 8;

    /**
     * Starts servers.
     *
     * @param count number of servers, 1 to {@link #MAX_COUNT}
     * @param areProcesses whether to start processes of the memcached on the PATH; otherwise servers inside this JVM
     * @throws IllegalStateException if a server does not start; no server is left running then
     */
    public static Servers start(int count, boolean areProcesses) {
        if (count < 1 || count > MAX_COUNT) {
            throw new IllegalArgumentException("count is " + count + ", but must be 1 to " + MAX_COUNT);
        }
        List<SampleServer> started = new ArrayList<>();
        try {
            for (int number = 0; number < count; number++) {
                started.add(new SampleServer(areProcesses ? MemcachedProcess.start() : EmbeddedMemcached.start()));
            }
            return new Servers(List.copyOf(started));
        } catch (RuntimeException e) {
            started.forEach(SampleServer::close);
            throw e;
        }
    }

    /**
     * Returns the server with a number.
     *
     * @throws IllegalArgumentException if no server has this number
     */
    public SampleServer get(int number) {
        if (number < 0 || number >= all.size()) {
            throw new IllegalArgumentException("no server " + number + ": use 0 to " + (all.size() - 1));
        }
        return all.get(number);
    }

    @Override
    public void close() {
        all.forEach(SampleServer::close);
    }
}
