// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import static io.memshard.testkit.Eventually.eventually;
import static org.apache.commons.pool2.impl.InterruptibleReentrantLock.ACQUISITIONS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Costs of borrowing and returning in acquisitions of the one lock that all callers of a pool share,
 * counted and not timed: the article's four, each by its name.
 */
@Timeout(30)
class PoolLockCountTest {

    private GenericObjectPool<Object> pool;

    @BeforeEach
    void openPoolOfOne() throws Exception {
        GenericObjectPoolConfig<Object> config = new GenericObjectPoolConfig<>();
        config.setMaxTotal(1);
        config.setMaxIdle(1);
        pool = new GenericObjectPool<>(Pools.factory(Object::new), config);
        pool.addObject();
        ACQUISITIONS.clear();
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void borrowingAnIdleObjectTakesTheLockOfTheDequeThreeTimes() throws Exception {
        Object borrowed = pool.borrowObject();
        pool.returnObject(borrowed);

        assertThat(ACQUISITIONS).isEqualTo(List.of("pollFirst", "size", "offerFirst"));
    }

    @Test
    void borrowingFromAnExhaustedPoolTakesTheLockFourTimes() throws Exception {
        Object only = pool.borrowObject();
        ACQUISITIONS.clear();
        AtomicReference<Object> borrowed = new AtomicReference<>();
        Thread waiter = new Thread(() -> {
            try {
                borrowed.set(pool.borrowObject());
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        waiter.start();
        eventually("waits", () -> pool.getNumWaiters() > 0);
        // Looking for waiters takes the lock as well, so what the waiter took is counted apart.
        List<String> borrowing =
                ACQUISITIONS.stream().filter(BORROWING::contains).toList();
        ACQUISITIONS.clear();
        pool.returnObject(only);
        waiter.join();

        assertThat(borrowing).isEqualTo(List.of("pollFirst", "takeFirst"));
        assertThat(ACQUISITIONS).isEqualTo(List.of("size", "offerFirst"));
        pool.returnObject(borrowed.get());
    }

    private static final List<String> BORROWING = List.of("pollFirst", "takeFirst");
}
