// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static io.memshard.testkit.Eventually.eventually;
import static java.util.stream.Collectors.toMap;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.chunked.ChunkOptions;
import io.memshard.client.chunked.ChunkedClient;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Blocking and asynchronous callers over one client, who check what they read. A value carries its key and a version,
 * and each key has one writer. While the servers do not change, a writer must read what it has written last. A key
 * whose write has failed is used no more.
 *
 * <p>Threading: {@link #start} and {@link #end} are called by one thread.
 */
final class CheckingCallers {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final int KEYS_PER_CALLER = 10;
    private static final int MAX_TOLD = 10;

    /**
     * What the callers use.
     *
     * @param state equal before and after two calls if no server has come, gone or failed between them
     */
    record Over(MemcachedClient<String> client, AsyncMemcachedClient<String> async, Supplier<?> state) {}

    private final Supplier<?> state;
    private final int callers;

    /** Between calls, so that many callers leave something of a small machine to the servers. */
    private final long pauseNanos;

    private final Predicate<MemcachedException> expected;
    private final boolean serversForget;
    private final MemcachedClient<String> client;
    private final AsyncMemcachedClient<String> async;
    private final ChunkedClient<String> chunked;

    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong versions = new AtomicLong();
    private final AtomicInteger asyncRunning = new AtomicInteger();
    private final Map<String, LongAdder> failures = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
    private final LongAdder calls = new LongAdder();
    private final LongAdder checked = new LongAdder();

    /** How often a write of each key has failed: it may come late, so another key takes its place. */
    private final Map<String, Integer> generations = new ConcurrentHashMap<>();

    private volatile boolean ending;

    /**
     * Callers that are not there yet.
     *
     * @param over what they use
     * @param expected the failures that are no error
     * @param serversForget whether servers may lose their items
     */
    CheckingCallers(Over over, int callers, Predicate<MemcachedException> expected, boolean serversForget) {
        this.state = over.state;
        this.callers = callers;
        this.pauseNanos = TimeUnit.MICROSECONDS.toNanos(100L * callers);
        this.expected = expected;
        this.serversForget = serversForget;
        client = over.client;
        async = over.async;
        chunked = ChunkedClient.over(
                client,
                Transcoder.utf8(),
                ChunkOptions.DEFAULTS.withMaxBytes(100_000).withChunkBytes(1_000));
    }

    /** Starts so many threads that block, and a quarter as many chains of futures. */
    void start() {
        for (int i = 0; i < callers; i++) {
            Caller caller = new Caller("blocking" + i);
            Thread thread = new Thread(caller::run, "caller-" + i);
            threads.add(thread);
            thread.start();
        }
        for (int i = 0; i < callers / 4; i++) {
            asyncRunning.incrementAndGet();
            new Caller("async" + i).goOn();
        }
    }

    /** Has all callers end, and fails if one hangs. */
    void end() throws InterruptedException {
        ending = true;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(100);
        for (Thread thread : threads) {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
            if (thread.isAlive()) {
                AssertionError hangs = new AssertionError(thread + " hangs");
                hangs.setStackTrace(thread.getStackTrace());
                throw hangs;
            }
        }
        eventually("asynchronous callers end", () -> asyncRunning.get() == 0);
    }

    /** What must not have happened. */
    List<String> wrong() {
        return List.copyOf(wrong);
    }

    /** Failures that were expected, by kind. */
    Map<String, LongAdder> failures() {
        return failures;
    }

    long calls() {
        return calls.sum();
    }

    /** How many times a caller found what it had written last, while the servers did not change. */
    long checked() {
        return checked.sum();
    }

    /** The key that is used now in the place of one. */
    private String current(String key) {
        Integer generation = generations.get(key);
        return generation == null ? key : key + '~' + generation;
    }

    /** A write has failed, and may come late. */
    private void doubt(String key) {
        generations.merge(base(key), 1, Integer::sum);
    }

    private static String base(String key) {
        int mark = key.indexOf('~');
        return mark < 0 ? key : key.substring(0, mark);
    }

    private void tell(String what) {
        if (wrong.size() < MAX_TOLD) {
            wrong.add(what);
        }
    }

    private void failed(Throwable thrown) {
        Throwable cause = Futures.cause(thrown);
        if (cause instanceof MemcachedException failure && expected.test(failure)) {
            failures.computeIfAbsent(failure.getClass().getSimpleName(), any -> new LongAdder())
                    .increment();
        } else {
            StringBuilder stack = new StringBuilder(String.valueOf(cause));
            for (int i = 0; i < Math.min(12, cause.getStackTrace().length); i++) {
                stack.append("\n      at ").append(cause.getStackTrace()[i]);
            }
            tell(stack.toString());
        }
    }

    /** Whether a value is one that was stored under a key. */
    private void check(String key, @Nullable String value) {
        if (value != null && !(value.startsWith(key + ':') && version(value) <= versions.get())) {
            tell("under " + key + ": " + value.substring(0, Math.min(60, value.length())));
        }
    }

    private static long version(String value) {
        return Long.parseLong(value.substring(value.indexOf(':') + 1).strip());
    }

    private String newValue(String key) {
        return key + ':' + versions.incrementAndGet();
    }

    /** One caller and its keys. */
    private final class Caller {

        private final List<String> own;
        private final Random random;

        Caller(String name) {
            own = IntStream.range(0, KEYS_PER_CALLER)
                    .mapToObj(i -> name + '-' + i)
                    .toList();
            random = new Random(name.hashCode());
        }

        private String ownKey() {
            return current(own.get(random.nextInt(own.size())));
        }

        private List<String> ownKeys() {
            return own.stream().map(CheckingCallers.this::current).toList();
        }

        private List<String> anyKeys() {
            return IntStream.range(0, 50)
                    .mapToObj(i -> (random.nextBoolean() ? "blocking" : "async")
                            + random.nextInt(callers)
                            + '-'
                            + random.nextInt(KEYS_PER_CALLER))
                    .distinct()
                    .map(CheckingCallers.this::current)
                    .toList();
        }

        void run() {
            while (!ending) {
                calls.increment();
                LockSupport.parkNanos(pauseNanos);
                try {
                    callOnce();
                } catch (MemcachedException e) {
                    failed(e);
                } catch (Throwable e) {
                    tell(e + " at " + e.getStackTrace()[0]);
                }
            }
        }

        private void callOnce() {
            int choice = random.nextInt(100);
            if (choice < 40) {
                String key = anyKeys().get(0);
                check(key, client.get(key));
            } else if (choice < 70) {
                writeAndRead();
            } else if (choice < 80) {
                multiGet();
            } else if (choice < 88) {
                multiWriteAndRead();
            } else if (choice < 92) {
                String key = "loaded-" + ownKey();
                check(key, client.getOrLoad(key, HOUR, CheckingCallers.this::newValue));
                client.delete(key);
            } else if (choice < 95) {
                multiLoad();
            } else if (choice < 98) {
                largeValue();
            } else {
                client.version();
                client.delete(ownKey());
            }
        }

        private void writeAndRead() {
            String key = ownKey();
            String value = newValue(key);
            Object before = state.get();
            try {
                client.set(key, value, HOUR);
            } catch (MemcachedException e) {
                doubt(key);
                throw e;
            }
            compare(before, key, value, client.get(key));
        }

        /** A value that is not the one that was written last is wrong, if the servers have not changed since. */
        private void compare(Object before, String key, String written, @Nullable String read) {
            check(key, read);
            if (before.equals(state.get()) && current(base(key)).equals(key)) {
                checked.increment();
                if (!written.equals(read) && !(read == null && serversForget)) {
                    tell("wrote " + written + " and read " + read + " over " + before);
                }
            }
        }

        private void multiGet() {
            var found = client.multiGet(anyKeys());
            found.hits().forEach(CheckingCallers.this::check);
            failedKeys(found.failures());
        }

        private void failedKeys(Map<String, MemcachedException> failed) {
            failed.forEach((key, failure) -> failed(failure));
        }

        private void multiWriteAndRead() {
            List<String> keys = ownKeys();
            Map<String, String> values = newValues(keys);
            Object before = state.get();
            var written = client.multiSet(values, HOUR);
            written.failures().keySet().forEach(key -> doubt(key));
            failedKeys(written.failures());
            var read = client.multiGet(keys);
            failedKeys(read.failures());
            written.stored().stream()
                    .filter(key -> !read.failures().containsKey(key))
                    .forEach(key ->
                            compare(before, key, values.get(key), read.hits().get(key)));
        }

        private Map<String, String> newValues(Collection<String> keys) {
            return keys.stream().collect(toMap(Function.identity(), CheckingCallers.this::newValue));
        }

        private void multiLoad() {
            List<String> keys =
                    ownKeys().stream().map(key -> "multi-loaded-" + key).toList();
            var found = client.multiGetOrLoad(keys, HOUR, this::newValues);
            found.hits().forEach(CheckingCallers.this::check);
            failedKeys(found.failures());
            if (found.failures().isEmpty() && found.hits().size() < keys.size()) {
                tell("not loaded: " + found.misses());
            }
            failedKeys(client.multiDelete(keys).failures());
        }

        private void largeValue() {
            String key = "large-" + ownKey();
            chunked.set(key, newValue(key) + " ".repeat(20_000), HOUR);
            check(key, chunked.get(key));
        }

        /** One step of a chain of futures, and then the next. */
        @SuppressWarnings("FutureReturnValueIgnored") // The chain goes on by itself.
        void goOn() {
            if (ending) {
                asyncRunning.decrementAndGet();
                return;
            }
            calls.increment();
            CompletableFuture<?> step;
            try {
                step = startOnce();
            } catch (Throwable e) {
                step = CompletableFuture.failedFuture(e);
            }
            step.handleAsync(
                    (ignored, thrown) -> {
                        if (thrown != null) {
                            failed(thrown);
                        }
                        goOn();
                        return null;
                    },
                    CompletableFuture.delayedExecutor(pauseNanos, TimeUnit.NANOSECONDS));
        }

        private CompletableFuture<?> startOnce() {
            int choice = random.nextInt(100);
            if (choice < 50) {
                List<CompletableFuture<?>> all = new ArrayList<>();
                for (String key : anyKeys()) {
                    all.add(async.get(key).thenAccept(value -> check(key, value)));
                }
                return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]));
            }
            if (choice < 75) {
                String key = ownKey();
                String value = newValue(key);
                Object before = state.get();
                return async.set(key, value, HOUR)
                        .whenComplete((ignored, thrown) -> {
                            if (thrown != null) {
                                doubt(key);
                            }
                        })
                        .thenCompose(ignored -> async.get(key))
                        .thenAccept(read -> compare(before, key, value, read));
            }
            if (choice < 85) {
                return async.multiSet(newValues(ownKeys()), HOUR).thenAccept(result -> {
                    result.failures().keySet().forEach(key -> doubt(key));
                    failedKeys(result.failures());
                });
            }
            if (choice < 95) {
                return async.multiGet(anyKeys()).thenAccept(found -> {
                    found.hits().forEach(CheckingCallers.this::check);
                    failedKeys(found.failures());
                });
            }
            String key = "loaded-" + ownKey();
            return async.getOrLoad(key, HOUR, missing -> CompletableFuture.completedFuture(newValue(missing)))
                    .thenAccept(value -> check(key, value))
                    .thenCompose(ignored -> async.delete(key));
        }
    }
}
