// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.listener.ServerState;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.fault.FaultProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One of two servers answers each command, but later than callers wait. */
@Timeout(120)
class LateServerIT {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration REQUEST = Duration.ofMillis(200);

    /** Five waits of a caller eject, and a sixth may have begun. Twice as many for a busy machine. */
    private static final int MOST_TIMEOUTS = 12;

    private final LeakCheck leaks = LeakCheck.start();

    private EmbeddedMemcached behindProxy;
    private EmbeddedMemcached healthy;
    private FaultProxy late;
    private Memshard memshard;

    private final AtomicInteger timeouts = new AtomicInteger();

    @BeforeEach
    void open() throws IOException {
        behindProxy = EmbeddedMemcached.start();
        healthy = EmbeddedMemcached.start();
        late = new FaultProxy(behindProxy.address());
        memshard = Memshard.builder()
                .servers("127.0.0.1:" + late.address().getPort() + ", 127.0.0.1:" + healthy.port())
                .requestTimeout(REQUEST) // What is tested.
                .connectTimeout(LONG)
                .build();
    }

    @AfterEach
    void close() {
        memshard.close();
        late.close();
        healthy.close();
        behindProxy.close();
        leaks.assertNothingLeft();
    }

    /** The proxy holds a request back, and then its reply: a call takes {@code percent} of the timeout at least. */
    @ParameterizedTest
    @CsvSource({"130, 1, false", "160, 4, true", "300, 16, false"})
    void isEjected(int percent, int callers, boolean async) throws Exception {
        String key = Fleet.keyOf(memshard, late.address().getPort());
        UnaryOperator<String> get = getter(key, async);
        late.delay(REQUEST.multipliedBy(percent).dividedBy(200));
        List<Thread> threads = IntStream.range(0, callers)
                .mapToObj(caller -> new Thread(() -> {
                    for (int i = 0; i < 10 * MOST_TIMEOUTS && isUp(); i++) {
                        callOnce(get, key);
                    }
                }))
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(isUp()).as(timeouts + " time-outs").isFalse();
        assertThat(timeouts).hasValueLessThanOrEqualTo(MOST_TIMEOUTS * callers);
    }

    /** Four slow answers are fewer than eject, however much later than the timeout a busy machine notices them. */
    @Test
    void isNotEjectedForFewSlowAnswers() throws Exception {
        String key = Fleet.keyOf(memshard, late.address().getPort());
        UnaryOperator<String> get = getter(key, false);
        for (int i = 0; i < 4; i++) {
            late.delay(REQUEST);
            callOnce(get, key);
            late.heal();
            assertThat(memshard.client(Transcoder.utf8()).withTimeout(LONG).get(key))
                    .isEqualTo("v");
        }
        assertThat(memshard.serverStatuses()).allMatch(each -> each.state() == ServerState.UP);
    }

    private void callOnce(UnaryOperator<String> get, String key) {
        try {
            get.apply(key);
        } catch (MemcachedException | CompletionException e) {
            if (e instanceof MemcachedTimeoutException || e.getCause() instanceof MemcachedTimeoutException) {
                timeouts.incrementAndGet();
            }
        }
    }

    /** Opens the sockets of both kinds of callers. */
    private UnaryOperator<String> getter(String key, boolean async) {
        MemcachedClient<String> blocking = memshard.client(Transcoder.utf8());
        AsyncMemcachedClient<String> other = memshard.asyncClient(Transcoder.utf8());
        blocking.withTimeout(LONG).set(key, "v", Duration.ofHours(1));
        other.withTimeout(LONG).get(key).join();
        return async ? each -> other.get(each).join() : blocking::get;
    }

    private boolean isUp() {
        return memshard.serverStatuses().get(0).state() == ServerState.UP;
    }
}
