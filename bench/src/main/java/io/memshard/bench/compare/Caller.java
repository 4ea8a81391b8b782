// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.compare;

import io.memshard.bench.contender.CallRecorder;
import io.memshard.bench.contender.Contender;
import io.memshard.bench.contender.ContenderSettings;
import io.memshard.bench.result.Condition;
import io.memshard.bench.server.Keyspace;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Caller that draws keys, calls the contender in a closed loop until a deadline, and checks every value.
 *
 * <p>Threading: confined to one thread.
 */
abstract class Caller {

    /** Resolution of latencies in nanoseconds. */
    static final long FINEST_NANOS = 256;

    final CallRecorder recorder = new CallRecorder(FINEST_NANOS);
    final Keyspace keyspace;
    private final SplittableRandom random;
    private final Condition.Load load;

    private Caller(Condition condition, Keyspace keyspace, long seed) {
        this.keyspace = keyspace;
        this.random = new SplittableRandom(seed);
        this.load = condition.load();
    }

    /** Returns the caller for {@code condition}. */
    static Caller of(Condition condition, Keyspace keyspace, long seed) {
        if (condition.load().keys() > 1) {
            return new Many(condition, keyspace, seed);
        }
        return condition.callers() == Condition.Callers.ASYNC
                ? new Asynchronous(condition, keyspace, seed)
                : new Blocking(condition, keyspace, seed);
    }

    /** Calls until {@link System#nanoTime()} has passed {@code deadlineNanos}. */
    abstract void callUntil(long deadlineNanos, Contender contender);

    final int nextKey() {
        return random.nextInt(keyspace.size());
    }

    final boolean nextIsSet() {
        return load.setEvery() > 0 && random.nextInt(load.setEvery()) == 0;
    }

    /** Caller that waits for each reply before the next call. */
    private static class Blocking extends Caller {
        Blocking(Condition condition, Keyspace keyspace, long seed) {
            super(condition, keyspace, seed);
        }

        @Override
        void callUntil(long deadlineNanos, Contender contender) {
            long startNanos = System.nanoTime();
            while (startNanos - deadlineNanos < 0) {
                try {
                    boolean right = call(contender);
                    long endNanos = System.nanoTime();
                    if (right) {
                        recorder.right(endNanos - startNanos, 1);
                    } else {
                        recorder.wrong();
                    }
                    startNanos = endNanos;
                } catch (Exception e) {
                    recorder.failed(e, 0);
                    startNanos = System.nanoTime();
                }
            }
        }

        /** Calls once. Returns whether the result is right. */
        boolean call(Contender contender) throws Exception {
            int key = nextKey();
            if (nextIsSet()) {
                contender.set(keyspace.key(key), keyspace.value(key));
                return true;
            }
            return keyspace.isValueOf(key, contender.get(keyspace.key(key)));
        }
    }

    /** Caller that gets many keys in each call, and waits for their values before the next call. */
    private static final class Many extends Blocking {
        private final int number;

        Many(Condition condition, Keyspace keyspace, long seed) {
            super(condition, keyspace, seed);
            number = condition.load().keys();
        }

        @Override
        boolean call(Contender contender) throws Exception {
            // Keys that follow each other are all different, and a ring spreads them like any others.
            int first = nextKey();
            List<String> keys = new ArrayList<>(number);
            for (int i = 0; i < number; i++) {
                keys.add(keyspace.key((first + i) % keyspace.size()));
            }
            List<byte @Nullable []> values = contender.getMany(keys);
            boolean right = values.size() == number;
            for (int i = 0; right && i < number; i++) {
                right = keyspace.isValueOf((first + i) % keyspace.size(), values.get(i));
            }
            return right;
        }
    }

    /**
     * Caller that keeps a window of futures in flight. When the window is full, the caller waits for the future in its
     * middle, takes the results of the older half and refills the window. So one wake-up serves half a window, with any
     * kind of future. A latency ends when the caller takes the result.
     */
    private static final class Asynchronous extends Caller {

        /** Placeholder for the key of a {@code set}, whose result is not a value. */
        private static final int NO_VALUE = -1;

        private final @Nullable Future<?>[] futures;
        private final int[] keys;
        private final long[] startNanos;
        private int oldest;
        private int underWay;

        Asynchronous(Condition condition, Keyspace keyspace, long seed) {
            super(condition, keyspace, seed);
            futures = new Future<?>[condition.inFlight()];
            keys = new int[condition.inFlight()];
            startNanos = new long[condition.inFlight()];
        }

        @Override
        void callUntil(long deadlineNanos, Contender contender) {
            int half = (futures.length + 1) / 2;
            while (System.nanoTime() - deadlineNanos < 0) {
                while (underWay < futures.length) {
                    if (!send(contender) && System.nanoTime() - deadlineNanos >= 0) {
                        break;
                    }
                }
                awaitDone(half - 1);
                take(Math.min(half, underWay));
            }
            take(underWay);
        }

        private boolean send(Contender contender) {
            int key = nextKey();
            int slot = (oldest + underWay) % futures.length;
            startNanos[slot] = System.nanoTime();
            try {
                if (nextIsSet()) {
                    futures[slot] = contender.setAsync(keyspace.key(key), keyspace.value(key));
                    keys[slot] = NO_VALUE;
                } else {
                    futures[slot] = contender.getAsync(keyspace.key(key));
                    keys[slot] = key;
                }
                underWay++;
                return true;
            } catch (Exception e) {
                recorder.failed(e, 0);
                return false;
            }
        }

        private void awaitDone(int position) {
            Future<?> future = futures[(oldest + position) % futures.length];
            if (position < underWay && future != null && !future.isDone()) {
                try {
                    await(future);
                } catch (Exception e) {
                    // The future fails again in take, which counts the failure.
                }
            }
        }

        private void take(int count) {
            for (int i = 0; i < count; i++) {
                Future<?> future = futures[oldest];
                try {
                    Object result = future == null ? null : await(future);
                    int key = keys[oldest];
                    boolean right =
                            key == NO_VALUE ? !Boolean.FALSE.equals(result) : keyspace.isValueOf(key, (byte[]) result);
                    if (right) {
                        recorder.right(System.nanoTime() - startNanos[oldest], 1);
                    } else {
                        recorder.wrong();
                    }
                } catch (Exception e) {
                    recorder.failed(e, 0);
                }
                futures[oldest] = null;
                oldest = (oldest + 1) % futures.length;
                underWay--;
            }
        }

        private static @Nullable Object await(Future<?> future)
                throws InterruptedException, ExecutionException, TimeoutException {
            return future.get(ContenderSettings.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        }
    }
}
