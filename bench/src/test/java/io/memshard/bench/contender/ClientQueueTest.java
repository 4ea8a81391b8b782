// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ArrayBlockingQueue;
import net.spy.memcached.DefaultConnectionFactory;
import org.junit.jupiter.api.Test;

class ClientQueueTest {

    /** The article says that it is a LinkedBlockingQueue, with a lock for each end. */
    @Test
    void theQueueBetweenCallersAndTheIoThreadOfSpymemcachedHasOneLock() {
        assertThat(new DefaultConnectionFactory().createOperationQueue()).isInstanceOf(ArrayBlockingQueue.class);
    }
}
