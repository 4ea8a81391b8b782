// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.contender.CallRecorder;
import io.memshard.bench.contender.Contender;
import io.memshard.bench.result.Condition;
import io.memshard.bench.result.Condition.Callers;
import io.memshard.bench.server.Keyspace;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class CallerTest {

    private static final Keyspace KEYS = new Keyspace(10, 100);
    private static final Duration LENGTH = Duration.ofMillis(2);

    /** Enough for shares of them to be near those expected. */
    private static final int OUTCOMES = 1_000;

    @ParameterizedTest
    @EnumSource(names = {"BLOCKING", "ASYNC"})
    void rightValuesAreOperationsWithALatency(Callers callers) {
        CallRecorder recorder = call(callers, Condition.Load.GET, new Fake(CallerTest::rightValue));

        assertThat(recorder.calls()).isPositive();
        assertThat(recorder.wrongValues() + recorder.errors() + recorder.timeouts())
                .isZero();
        assertThat(recorder.latency().maxMicros()).isPositive();
        assertThat(recorder.firstFailure()).isNull();
    }

    @ParameterizedTest
    @EnumSource(names = {"BLOCKING", "ASYNC"})
    void theValueOfAnotherKeyIsWrong(Callers callers) {
        CallRecorder recorder = call(callers, Condition.Load.GET, new Fake(key -> KEYS.value(0)));

        // One key in ten has that value.
        assertThat(recorder.wrongValues()).isGreaterThan(recorder.calls());
        assertThat(recorder.errors() + recorder.timeouts()).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"BLOCKING", "ASYNC"})
    void aMissAndATruncatedValueAreWrong(Callers callers) {
        assertThat(call(callers, Condition.Load.GET, new Fake(key -> null)).calls())
                .isZero();
        assertThat(call(callers, Condition.Load.GET, new Fake(key -> new byte[99]))
                        .calls())
                .isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"BLOCKING", "ASYNC"})
    void timeoutsAndErrorsAreCountedApart(Callers callers) {
        AtomicInteger calls = new AtomicInteger();
        CallRecorder recorder = call(callers, Condition.Load.GET, new Fake(key -> {
            if (calls.incrementAndGet() % 2 == 0) {
                throw new TimeoutException("late");
            }
            throw new IllegalStateException("broken");
        }));

        assertThat(recorder.calls()).isZero();
        assertThat(recorder.timeouts()).isBetween(recorder.errors() - 1, recorder.errors());
        assertThat(recorder.firstFailure()).hasStackTraceContaining("broken");
    }

    @ParameterizedTest
    @EnumSource(names = {"MULTI_GET", "MULTI_GET_10"})
    void oneCallForManyKeysIsAnOperationIfAllValuesAreRight(Condition.Load load) {
        AtomicInteger keys = new AtomicInteger();
        CallRecorder right = call(Callers.BLOCKING, load, new Fake(key -> {
            keys.incrementAndGet();
            return rightValue(key);
        }));
        assertThat(right.calls()).isEqualTo(keys.get() / load.keys()).isPositive();

        CallRecorder wrong =
                call(Callers.BLOCKING, load, new Fake(key -> key.equals(KEYS.key(3)) ? null : rightValue(key)));
        assertThat(wrong.calls()).isZero();
        assertThat(wrong.wrongValues()).isPositive();
    }

    @ParameterizedTest
    @EnumSource(names = {"BLOCKING", "ASYNC"})
    void oneInTenOfAMixedLoadIsASet(Callers callers) {
        Fake fake = new Fake(CallerTest::rightValue);
        CallRecorder recorder = call(callers, Condition.Load.MIXED, fake);

        assertThat(fake.sets.get() / (double) recorder.calls()).isBetween(0.02, 0.25);
        assertThat(recorder.wrongValues()).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"BLOCKING", "ASYNC"})
    void everyOperationOfALoadOfSetsIsASet(Callers callers) {
        Fake fake = new Fake(key -> {
            throw new IllegalStateException("a get of " + key);
        });
        CallRecorder recorder = call(callers, Condition.Load.SET, fake);

        assertThat(recorder.calls()).isEqualTo(fake.sets.get()).isPositive();
        assertThat(recorder.errors()).isZero();
    }

    @Test
    void anAsynchronousCallerKeepsItsWindowAndNoMore() {
        AtomicInteger underWay = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Contender contender = new Fake(CallerTest::rightValue) {
            @Override
            public Future<byte @Nullable []> getAsync(String key) {
                most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
                // The reply arrives when the caller waits for it.
                return new CompletableFuture<>() {
                    @Override
                    public byte @Nullable [] get(long timeout, TimeUnit unit) {
                        if (complete(rightValue(key))) {
                            underWay.decrementAndGet();
                        }
                        return getNow(null);
                    }
                };
            }
        };

        CallRecorder recorder = call(Callers.ASYNC, Condition.Load.GET, contender);

        assertThat(recorder.calls()).isPositive();
        assertThat(most).hasValue(8);
        assertThat(underWay).hasValue(0);
    }

    @Test
    void aGroupAddsUpWhatItsCallersSaw() {
        Condition condition = new Condition(4, 100, Condition.Load.GET, Callers.BLOCKING, 1);
        AtomicInteger calls = new AtomicInteger();
        try (CallerGroup group = new CallerGroup(
                condition, KEYS, 1, List.of(ProcessHandle.current().pid()))) {
            long cpuNanos = 0;
            long total = 0;
            // Linux counts the time of processors in steps of 10 ms, and a busy machine may give none for a slice.
            while (cpuNanos == 0 || total == 0) {
                calls.set(0);
                CallerGroup.Slice slice = group.call(
                        new Fake(key -> {
                            calls.incrementAndGet();
                            return rightValue(key);
                        }),
                        LENGTH);

                assertThat(slice.recorder().calls()).isEqualTo(calls.get());
                assertThat(slice.elapsedNanos()).isGreaterThanOrEqualTo(LENGTH.toNanos());
                cpuNanos += slice.cpuNanos();
                total += calls.get();
                assertThat(slice.fairness().least())
                        .isLessThanOrEqualTo(slice.fairness().most());
                if (calls.get() > 0) {
                    assertThat(slice.fairness().jain()).isBetween(0.25, 1.0);
                }
                assertThat(slice.readings().hiccupMaxMicros()).isNotNegative();
                assertThat(slice.readings().scheduling().idleFraction()).isBetween(0.0, 1.0);
            }
        }
    }

    private static CallRecorder call(Callers callers, Condition.Load load, Contender contender) {
        Caller caller = Caller.of(new Condition(1, 100, load, callers, 8), KEYS, 1);
        CallRecorder recorder = caller.recorder;
        while (recorder.calls() + recorder.wrongValues() + recorder.errors() + recorder.timeouts() < OUTCOMES) {
            caller.callUntil(System.nanoTime() + LENGTH.toNanos(), contender);
        }
        return recorder;
    }

    private static byte[] rightValue(String key) {
        return KEYS.value(Integer.parseInt(key.substring(key.lastIndexOf(':') + 1)));
    }

    private interface Reply {
        byte @Nullable [] to(String key) throws Exception;
    }

    private static class Fake implements Contender {

        private final Reply reply;
        private final AtomicInteger sets = new AtomicInteger();

        Fake(Reply reply) {
            this.reply = reply;
        }

        @Override
        public byte @Nullable [] get(String key) throws Exception {
            return reply.to(key);
        }

        @Override
        public List<byte @Nullable []> getMany(List<String> keys) throws Exception {
            List<byte @Nullable []> values = new ArrayList<>();
            for (String key : keys) {
                values.add(reply.to(key));
            }
            return values;
        }

        @Override
        public void set(String key, byte[] value) {
            sets.incrementAndGet();
            assertThat(new String(value, StandardCharsets.US_ASCII)).startsWith(key + ":");
        }

        @Override
        public Future<byte @Nullable []> getAsync(String key) {
            try {
                return CompletableFuture.completedFuture(reply.to(key));
            } catch (Exception e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        @Override
        public Future<?> setAsync(String key, byte[] value) {
            set(key, value);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
