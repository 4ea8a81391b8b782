// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.exception.MemcachedValueTooLargeException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FailedCallsTest {

    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 10);
    private final FailedCalls failures = new FailedCalls("books", new CacheCounters(), false, clock::get);

    private boolean failsAfter(Duration pause) {
        clock.addAndGet(pause.toNanos());
        return failures.log(new IllegalStateException("no answer"));
    }

    @Test
    void anOutageIsLoggedOnce() {
        assertThat(failsAfter(Duration.ZERO)).isTrue();
        assertThat(failsAfter(Duration.ZERO)).isFalse();
        for (int i = 0; i < 10; i++) {
            assertThat(failsAfter(Duration.ofSeconds(59))).isFalse();
        }
    }

    @Test
    void theNextOutageIsLoggedToo() {
        assertThat(failsAfter(Duration.ZERO)).isTrue();
        assertThat(failsAfter(Duration.ofSeconds(60))).isTrue();
        assertThat(failsAfter(Duration.ofSeconds(1))).isFalse();
    }

    @Test
    void aTooLargeValueIsNotAnOutage() {
        assertThat(failures.log(new MemcachedValueTooLargeException("of 2 MB", null, null)))
                .isTrue();
        assertThat(failures.log(new MemcachedValueTooLargeException("of 3 MB", null, null)))
                .isFalse();
        assertThat(failsAfter(Duration.ofSeconds(1))).isTrue();
    }
}
