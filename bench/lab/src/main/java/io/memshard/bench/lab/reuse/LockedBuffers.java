// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.reuse;

import java.util.ArrayDeque;

/**
 * Deques, each under a monitor of its own; a thread goes to the one of its number. With one of them this is a shared
 * pool with one lock, with more a pool with sharded locks.
 */
final class LockedBuffers implements Buffers {

    private final int size;
    private final int most;
    private final Shard[] shards;

    /**
     * Empty.
     *
     * @param number of shards, a power of two
     * @param most buffers in a shard
     */
    LockedBuffers(int size, int number, int most) {
        this.size = size;
        this.most = most;
        shards = new Shard[number];
        for (int i = 0; i < number; i++) {
            shards[i] = new Shard();
        }
    }

    private Shard own() {
        return shards[Probe.ofThread() & (shards.length - 1)];
    }

    @Override
    public Buffer get() {
        Shard shard = own();
        Buffer found;
        synchronized (shard) {
            found = shard.idle.pollFirst();
        }
        return Buffers.orNew(found, size);
    }

    @Override
    public void put(Buffer buffer) {
        Shard shard = own();
        synchronized (shard) {
            if (shard.idle.size() < most) {
                shard.idle.addFirst(buffer);
            }
        }
    }

    private static final class Shard {

        private final ArrayDeque<Buffer> idle = new ArrayDeque<>();
    }
}
