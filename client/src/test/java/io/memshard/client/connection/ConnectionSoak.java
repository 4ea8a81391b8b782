package io.memshard.client.connection;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaGet;
import io.memshard.client.protocol.MetaSet;
import io.memshard.testkit.FaultProxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Many threads that read and write through one connection while it is interrupted, timed out, cut, reset and
 * stalled at random; each value read is checked against the key it was read by.
 *
 * <p>Every key's value begins with the key, so a reply that met the wrong command shows.
 */
final class ConnectionSoak {

    private static final int KEYS = 1_000;
    private static final long LONG_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final Duration HANG = Duration.ofSeconds(30);

    private final Connection connection;
    private final FaultProxy proxy;
    private final long endNanos;

    private final LongAdder right = new LongAdder();
    private final LongAdder wrong = new LongAdder();
    private final LongAdder hanging = new LongAdder();
    private final LongAdder faults = new LongAdder();
    private final Map<String, LongAdder> failures = new ConcurrentSkipListMap<>();

    ConnectionSoak(Connection connection, FaultProxy proxy, Duration duration) {
        this.connection = connection;
        this.proxy = proxy;
        this.endNanos = System.nanoTime() + duration.toNanos();
    }

    /**
     * What the soak has seen.
     *
     * @param right replies that were right
     * @param wrong values of another key
     * @param hanging calls or futures that did not end, or threads that did not
     * @param faults cuts, resets, stalls and interrupts
     * @param failures typed failures, by kind
     */
    record Outcome(long right, long wrong, long hanging, long faults, Map<String, LongAdder> failures) {}

    /** Runs it with so many threads, a tenth of them asynchronous. */
    Outcome run(int threads) throws InterruptedException {
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            callers.add(new Thread(i % 10 == 9 ? this::callAsynchronously : this::callBlocking, "soak-" + i));
        }
        callers.forEach(Thread::start);
        injectFaults(callers);
        for (Thread caller : callers) {
            caller.join(HANG.toMillis());
            if (caller.isAlive()) {
                hanging.increment();
                StringBuilder where = new StringBuilder("hangs: " + caller.getName());
                for (StackTraceElement frame : caller.getStackTrace()) {
                    where.append("\n\tat ").append(frame);
                }
                System.err.println(where);
            }
        }
        return new Outcome(right.sum(), wrong.sum(), hanging.sum(), faults.sum(), failures);
    }

    private boolean goesOn() {
        return System.nanoTime() < endNanos;
    }

    private void injectFaults(List<Thread> callers) throws InterruptedException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (goesOn()) {
            Thread.sleep(random.nextInt(1, 20));
            switch (random.nextInt(40)) {
                case 0 -> proxy.cutAll();
                case 1 -> proxy.resetAll();
                case 2 -> {
                    proxy.stall(true);
                    Thread.sleep(random.nextInt(50));
                    proxy.stall(false);
                }
                case 3 -> proxy.slice(random.nextInt(1, 200));
                case 4 -> proxy.slice(64 * 1024);
                default -> callers.get(random.nextInt(callers.size())).interrupt();
            }
            faults.increment();
        }
    }

    private void callBlocking() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (goesOn()) {
            String key = "soak:" + random.nextInt(KEYS);
            long timeout = random.nextInt(10) == 0 ? random.nextInt(1_000_000) : LONG_TIMEOUT_NANOS;
            try {
                if (random.nextInt(5) == 0) {
                    connection.call(set(key, random), timeout);
                    right.increment();
                } else {
                    check(key, connection.call(get(key), timeout));
                }
            } catch (MemcachedException e) {
                count(e);
                if (e instanceof MemcachedInterruptedException && !Thread.interrupted()) {
                    failures.computeIfAbsent("interrupt flag lost", k -> new LongAdder())
                            .increment();
                }
            }
            if (random.nextInt(100) == 0) {
                Thread.interrupted();
            }
        }
    }

    private void callAsynchronously() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (goesOn()) {
            String key = "soak:" + random.nextInt(KEYS);
            CompletableFuture<byte @Nullable []> future =
                    connection.send(get(key)).toFuture(Duration.ofMillis(random.nextInt(1, 2_000)));
            boolean over = false;
            long deadline = System.nanoTime() + HANG.toNanos();
            while (!over) {
                try {
                    check(key, future.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS));
                    over = true;
                } catch (InterruptedException e) {
                    // The fault of the soak's own making; the future is still to be waited for.
                } catch (TimeoutException e) {
                    hanging.increment();
                    over = true;
                } catch (ExecutionException e) {
                    count(e.getCause());
                    over = true;
                }
            }
        }
    }

    private void check(String key, byte @Nullable [] value) {
        if (value == null || new String(value, StandardCharsets.UTF_8).startsWith(key + ' ')) {
            right.increment();
        } else {
            wrong.increment();
        }
    }

    private void count(@Nullable Throwable failure) {
        String kind = failure == null ? "null" : failure.getClass().getSimpleName();
        failures.computeIfAbsent(kind, k -> new LongAdder()).increment();
    }

    private static Command<byte @Nullable []> get(String key) {
        return new MetaGet<>(key, MetaGet.Wanted.VALUE, MetaGet.NO_TOUCH, (data, flags, casUnique) -> data);
    }

    private static Command<Boolean> set(String key, ThreadLocalRandom random) {
        int size = random.nextInt(20) == 0 ? random.nextInt(60_000) : random.nextInt(300);
        byte[] value = (key + ' ' + "x".repeat(size)).getBytes(StandardCharsets.UTF_8);
        return new MetaSet<>(key, MetaSet.Mode.SET, new MetaSet.Item(value, 0, 0), MetaSet.ANY_CAS, status -> true);
    }
}
