// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.CasValue;
import io.memshard.client.MemcachedClient;
import io.memshard.client.TimeToLive;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.operation.Clients;
import io.memshard.client.protocol.Command;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.SendMode;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Many threads that read and write through an array of connections while faults are injected and the threads are
 * interrupted; each value read is checked against the key it was read by.
 */
final class FaultSoak {

    /** Does something to the network, the server or both. */
    @FunctionalInterface
    interface Injection {
        void inject(RandomGenerator random) throws InterruptedException;
    }

    /**
     * What goes wrong.
     *
     * @param kind its name in the report
     * @param weight how often, compared with the others
     */
    record Fault(String kind, int weight, Injection injection) {}

    /**
     * What the soak has seen.
     *
     * @param operations those that ended as they should
     * @param faults how often each kind was injected
     * @param errors how often an operation ended with each type of exception
     * @param corrupt values that were changed on their way
     * @param wrong values of another key
     * @param hanging calls and futures that did not end
     */
    record Report(
            long operations,
            Map<String, Integer> faults,
            Map<String, LongAdder> errors,
            long corrupt,
            long wrong,
            long hanging) {}

    private static final Random RANDOM = new Random(42);
    private static final int KEYS = 1_000;
    private static final int INTERRUPT_WEIGHT = 20;
    private static final int MAX_VALUE_BYTES = 1024 * 1024;
    private static final long RECONNECT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final Duration HANG = Duration.ofMinutes(1);

    private final MemcachedClient<byte[]> patient;
    private final MemcachedClient<byte[]> hasty;
    private final AsyncMemcachedClient<byte[]> asynchronous;
    private final List<Fault> faults;
    private final long endNanos;

    private final LongAdder operations = new LongAdder();
    private final LongAdder corrupt = new LongAdder();
    private final LongAdder wrong = new LongAdder();
    private final LongAdder hanging = new LongAdder();
    private final Map<String, Integer> injected = new LinkedHashMap<>();
    private final Map<String, LongAdder> errors = new ConcurrentSkipListMap<>();

    FaultSoak(List<Connection> connections, List<Fault> faults, Duration duration) {
        CommandSender array = new RandomArray(connections);
        this.patient = Clients.blocking(array, Transcoder.bytes(), MAX_VALUE_BYTES, Duration.ofSeconds(2));
        this.hasty = Clients.blocking(array, Transcoder.bytes(), MAX_VALUE_BYTES, Duration.ofNanos(300_000));
        this.asynchronous = Clients.async(array, Transcoder.bytes(), MAX_VALUE_BYTES, Duration.ofSeconds(1));
        this.faults = faults;
        this.endNanos = System.nanoTime() + duration.toNanos();
    }

    /** The simplest choice of a connection there is. */
    private record RandomArray(List<Connection> connections) implements CommandSender {

        private Connection any() {
            return connections.get(RANDOM.nextInt(connections.size()));
        }

        @Override
        public <T> Reply<T> send(Command<T> command, SendMode mode) {
            return any().send(command, mode);
        }

        @Override
        public CompletableFuture<@Nullable Void> pause(long nanos) {
            return any().pause(nanos);
        }

        @Override
        public <T> T call(Command<T> command, long timeoutNanos) {
            return any().call(command, timeoutNanos);
        }
    }

    /** Runs it with so many threads, a tenth of them asynchronous. */
    Report run(int threads) throws InterruptedException {
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
        return new Report(operations.sum(), injected, errors, corrupt.sum(), wrong.sum(), hanging.sum());
    }

    private boolean goesOn() {
        return System.nanoTime() - endNanos < 0 || operations.sum() == 0;
    }

    private void injectFaults(List<Thread> callers) throws InterruptedException {
        RandomGenerator random = new Random(RANDOM.nextLong());
        List<Fault> all = new ArrayList<>(faults);
        all.add(new Fault(
                "interrupt",
                INTERRUPT_WEIGHT,
                dice -> callers.get(dice.nextInt(callers.size())).interrupt()));
        int weights = all.stream().mapToInt(Fault::weight).sum();
        // Each kind once, and then as they are drawn.
        for (Fault fault : all) {
            inject(fault, random);
        }
        while (goesOn()) {
            int drawn = random.nextInt(weights);
            int next = 0;
            while (drawn >= all.get(next).weight()) {
                drawn -= all.get(next++).weight();
            }
            inject(all.get(next), random);
        }
    }

    private void inject(Fault fault, RandomGenerator random) throws InterruptedException {
        Thread.sleep(random.nextInt(1, 20)); // How often faults come.
        fault.injection().inject(random);
        injected.merge(fault.kind(), 1, Integer::sum);
    }

    private void callBlocking() {
        RandomGenerator random = new Random(RANDOM.nextLong());
        while (goesOn()) {
            try {
                operate(random.nextInt(10) == 0 ? hasty : patient, random);
                operations.increment();
            } catch (MemcachedException e) {
                count(e);
                if (e instanceof MemcachedConnectionException) {
                    // No use in asking again before the connection has had time to come back.
                    LockSupport.parkNanos(RECONNECT_NANOS);
                }
                if (e instanceof MemcachedInterruptedException && !Thread.interrupted()) {
                    count("interrupt flag lost");
                }
            } catch (RuntimeException | Error e) {
                count(e);
            }
            if (random.nextInt(100) == 0) {
                Thread.interrupted();
            }
        }
    }

    private void operate(MemcachedClient<byte[]> client, RandomGenerator random) {
        String key = key(random);
        switch (random.nextInt(20)) {
            case 0, 1, 2, 3 -> client.set(key, value(key, random), TimeToLive.NEVER);
            case 4 -> client.delete(key);
            case 5 -> client.touch(key, Duration.ofMinutes(1));
            case 6 -> client.incr("counter:" + key, 1, 1, TimeToLive.NEVER);
            case 7 -> {
                CasValue<byte[]> item = client.gets(key);
                // Changed on its way it may be 0, which no item has.
                if (item != null && item.casUnique() != 0) {
                    check(key, item.value());
                    client.cas(key, value(key, random), item.casUnique(), TimeToLive.NEVER);
                }
            }
            case 8 -> {
                MultiGetResult<byte[]> items = client.multiGet(IntStream.range(0, random.nextInt(1, 30))
                        .mapToObj(i -> key(random))
                        .toList());
                items.hits().forEach(this::check);
                items.failures().values().forEach(this::count);
                // Each of them has the same, and only one may have cleared the flag.
                if (items.failures().values().stream().anyMatch(MemcachedInterruptedException.class::isInstance)) {
                    Thread.interrupted();
                }
            }
            default -> check(key, client.get(key));
        }
    }

    /** Twenty gets at a time, each of which must end. */
    private void callAsynchronously() {
        RandomGenerator random = new Random(RANDOM.nextLong());
        while (goesOn()) {
            Map<String, CompletableFuture<byte @Nullable []>> asked = new LinkedHashMap<>();
            for (int i = 0; i < 20; i++) {
                asked.computeIfAbsent(key(random), asynchronous::get);
            }
            asked.forEach(this::awaitAsked);
        }
    }

    private void awaitAsked(String key, CompletableFuture<byte @Nullable []> future) {
        long deadline = System.nanoTime() + HANG.toNanos();
        while (true) {
            try {
                check(key, future.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS));
                operations.increment();
                return;
            } catch (InterruptedException e) {
                // The fault of the soak's own making; the future is still to be waited for.
            } catch (TimeoutException e) {
                hanging.increment();
                return;
            } catch (ExecutionException e) {
                count(e.getCause());
                return;
            }
        }
    }

    private void check(String key, byte @Nullable [] value) {
        if (value == null) {
            return;
        }
        String whole = new String(value, ISO_8859_1);
        int end = whole.lastIndexOf(' ');
        if (end < 0 || !checksum(whole.substring(0, end)).equals(whole.substring(end + 1))) {
            corrupt.increment();
        } else if (!whole.startsWith(key + ' ')) {
            wrong.increment();
        }
    }

    private static String checksum(String text) {
        CRC32 checksum = new CRC32();
        checksum.update(text.getBytes(ISO_8859_1));
        return Long.toHexString(checksum.getValue());
    }

    private void count(Throwable failure) {
        count(failure.getClass().getSimpleName());
    }

    private void count(String error) {
        errors.computeIfAbsent(error, k -> new LongAdder()).increment();
    }

    private static String key(RandomGenerator random) {
        return "soak:" + random.nextInt(KEYS);
    }

    /**
     * A value that tells whose it is and whether it is whole. No client can see that a byte within a data block was
     * changed on its way; what it owes is that a whole value is the value of the key it was asked for.
     */
    private static byte[] value(String key, RandomGenerator random) {
        int fillerBytes = random.nextInt(20) == 0 ? random.nextInt(60_000) : random.nextInt(300);
        String text = key + ' ' + "x".repeat(fillerBytes);
        return (text + ' ' + checksum(text)).getBytes(ISO_8859_1);
    }
}
