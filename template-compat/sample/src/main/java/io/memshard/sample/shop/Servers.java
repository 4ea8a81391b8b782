// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.shop;

import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.MemcachedProcess;
import java.util.ArrayList;
import java.util.List;

/** Servers of the shop; thread-safe. The number of a server is its index in the list. */
public record Servers(List<SampleServer> all) implements AutoCloseable {

    public static final int MAX_COUNT = 8;

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

    public SampleServer get(int number) {
        if (number < 0 || number >= all.size()) {
            throw new IllegalArgumentException("server " + number + " does not exist: use 0 to " + (all.size() - 1));
        }
        return all.get(number);
    }

    @Override
    public void close() {
        all.forEach(SampleServer::close);
    }
}
