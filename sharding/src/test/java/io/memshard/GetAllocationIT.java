// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.memshard.client.MemcachedClient;
import io.memshard.testkit.EmbeddedMemcached;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A blocking get allocates little on its thread. Counted as written: a compiler that removes objects which do not
 * escape removes other ones in each JVM.
 */
@Timeout(120)
class GetAllocationIT {

    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    private static final int VALUE_BYTES = 100;

    /** Bytes of a get of that value, of which the value with its header is 120. */
    private static final long MOST_BYTES = 416;

    private static final int ROUNDS = 10;
    private static final int GETS = 1_000;

    @Test
    void blockingGetAllocatesAtMost416Bytes() {
        try (EmbeddedMemcached server = EmbeddedMemcached.start();
                Memshard memshard = Fleet.patient().servers(server.address()).build()) {
            MemcachedClient<byte[]> client = memshard.client();
            client.set("key", new byte[VALUE_BYTES], Duration.ofHours(1));
            long least = Long.MAX_VALUE;
            for (int round = 0; round < ROUNDS; round++) {
                least = Math.min(least, bytesOfGet(client));
            }
            assertThat(least).as("bytes a get").isBetween((long) VALUE_BYTES, MOST_BYTES);
        }
    }

    private static long bytesOfGet(MemcachedClient<byte[]> client) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < GETS; i++) {
            if (client.get("key") == null) {
                throw new AssertionError("the item is gone");
            }
        }
        return (THREADS.getCurrentThreadAllocatedBytes() - before) / GETS;
    }
}
