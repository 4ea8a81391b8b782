// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WaitBucketTest {

    private static final String CONDITION = "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject";
    private static final String BORROW = "org.apache.commons.pool2.impl.GenericObjectPool.borrowObject";
    private static final String CONNECTION = "io.memshard.client.link.Exchange.await";

    @Test
    void aParkForALockIsALockOnAnyStack() {
        assertThat(WaitBucket.ofPark("java.util.concurrent.locks.ReentrantLock$NonfairSync", List.of(BORROW)))
                .isEqualTo(WaitBucket.LOCK);
    }

    @Test
    void aParkForAConditionIsAnExhaustedPoolOnlyBelowAPool() {
        assertThat(WaitBucket.ofPark(CONDITION, List.of("java.util.concurrent.locks.LockSupport.park", BORROW)))
                .isEqualTo(WaitBucket.POOL_EXHAUSTED);
        assertThat(WaitBucket.ofPark(CONDITION, List.of())).isEqualTo(WaitBucket.UNCLASSIFIED);
    }

    @Test
    void aParkForAFutureALatchOrAConnectionIsAReply() {
        assertThat(WaitBucket.ofPark("java.util.concurrent.CountDownLatch$Sync", List.of()))
                .isEqualTo(WaitBucket.REPLY);
        assertThat(WaitBucket.ofPark("java.util.concurrent.CompletableFuture$Signaller", List.of()))
                .isEqualTo(WaitBucket.REPLY);
        assertThat(WaitBucket.ofPark("", List.of(CONNECTION))).isEqualTo(WaitBucket.REPLY);
    }

    @Test
    void aQueryIsTheRepository() {
        assertThat(WaitBucket.ofPark("", List.of("io.memshard.sample.catalogue.ProductRepository.query")))
                .isEqualTo(WaitBucket.REPOSITORY);
    }
}
