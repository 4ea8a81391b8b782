// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static java.util.stream.Collectors.toMap;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.chunked.ChunkOptions;
import io.memshard.client.chunked.ChunkedClient;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Callers of one client, blocking and asynchronous, who check what they read. A value carries its key and a version,
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

    void start() {
        for (int i = 0; i < callers; i++) {
            Caller caller = new Caller("caller" + i);
            Thread thread = new Thread(caller::run, "caller-" + i);
            threads.add(thread);
            thread.start();
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

    private void failed(MemcachedException failure) {
        if (expected.test(failure)) {
            failures.computeIfAbsent(failure.getClass().getSimpleName(), any -> new LongAdder())
                    .increment();
        } else {
            tell(failure);
        }
    }

    private void tell(Throwable thrown) {
        tell(thrown + " at " + List.of(thrown.getStackTrace()).subList(0, Math.min(12, thrown.getStackTrace().length)));
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
                    .mapToObj(i -> "caller" + random.nextInt(callers) + '-' + random.nextInt(KEYS_PER_CALLER))
                    .distinct()
                    .map(CheckingCallers.this::current)
                    .toList();
        }

        /** Calls in one of two ways. */
        private <T> T either(Supplier<T> blocking, Supplier<CompletableFuture<T>> asynchronous) {
            return random.nextInt(4) > 0 ? blocking.get() : Futures.result(asynchronous.get());
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
                    tell(e);
                }
            }
        }

        private void callOnce() {
            int choice = random.nextInt(100);
            if (choice < 30) {
                String key = anyKeys().get(0);
                check(key, client.get(key));
            } else if (choice < 40) {
                Map<String, CompletableFuture<String>> gets = new LinkedHashMap<>();
                anyKeys().forEach(key -> gets.put(key, async.get(key)));
                gets.forEach((key, get) -> check(key, Futures.result(get)));
            } else if (choice < 70) {
                writeAndRead();
            } else if (choice < 80) {
                List<String> keys = anyKeys();
                checkAll(either(() -> client.multiGet(keys), () -> async.multiGet(keys)));
            } else if (choice < 88) {
                multiWriteAndRead();
            } else if (choice < 92) {
                String key = "loaded-" + ownKey();
                check(
                        key,
                        either(
                                () -> client.getOrLoad(key, HOUR, CheckingCallers.this::newValue),
                                () -> async.getOrLoad(
                                        key, HOUR, missing -> CompletableFuture.completedFuture(newValue(missing)))));
                client.delete(key);
            } else if (choice < 95) {
                multiLoad();
            } else if (choice < 98) {
                String key = "large-" + ownKey();
                chunked.set(key, newValue(key) + " ".repeat(20_000), HOUR);
                check(key, chunked.get(key));
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
                either(
                        () -> {
                            client.set(key, value, HOUR);
                            return null;
                        },
                        () -> async.set(key, value, HOUR));
            } catch (MemcachedException e) {
                doubt(key);
                throw e;
            }
            compare(before, key, value, either(() -> client.get(key), () -> async.get(key)));
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

        private void checkAll(MultiGetResult<String> found) {
            found.hits().forEach(CheckingCallers.this::check);
            found.failures().values().forEach(CheckingCallers.this::failed);
        }

        private void multiWriteAndRead() {
            List<String> keys = ownKeys();
            Map<String, String> values = newValues(keys);
            Object before = state.get();
            var written = either(() -> client.multiSet(values, HOUR), () -> async.multiSet(values, HOUR));
            written.failures().forEach((key, failure) -> {
                doubt(key);
                failed(failure);
            });
            var read = client.multiGet(keys);
            checkAll(read);
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
            MultiGetResult<String> found = client.multiGetOrLoad(keys, HOUR, this::newValues);
            checkAll(found);
            if (found.failures().isEmpty() && found.hits().size() < keys.size()) {
                tell("not loaded: " + found.misses());
            }
            client.multiDelete(keys).failures().values().forEach(CheckingCallers.this::failed);
        }
    }
}
