// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
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
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Callers of one client, blocking and asynchronous, who check what they read. A value carries its key. Each key has one
 * writer at a time, who must read what was written last, unless the servers have changed. A key whose command has
 * failed is used no more, because that command may come late.
 *
 * <p>Threading: {@link #start} and {@link #end} are called by one thread.
 */
final class CheckingCallers {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final int KEYS_PER_CALLER = 10;
    private static final int MANY = 20;
    private static final int MOST_WRONG = 10;

    /**
     * What the callers use.
     *
     * @param state equal before and after two calls if no server has come, gone or failed between them
     */
    record Over(MemcachedClient<String> client, AsyncMemcachedClient<String> async, Supplier<?> state) {}

    private final Over over;
    private final int callers;
    private final Predicate<MemcachedException> expected;
    private final boolean serversForget;
    private final ChunkedClient<String> chunked;
    private final List<SoakKey> keys;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong versions = new AtomicLong();
    private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
    private final LongAdder failures = new LongAdder();
    private final LongAdder checked = new LongAdder();
    private volatile boolean ending;

    /**
     * Callers that are not there yet.
     *
     * @param over what they use
     * @param expected the failures that are no error
     * @param serversForget whether servers may lose their items
     */
    CheckingCallers(Over over, int callers, Predicate<MemcachedException> expected, boolean serversForget) {
        this.over = over;
        this.callers = callers;
        this.expected = expected;
        this.serversForget = serversForget;
        chunked = ChunkedClient.over(over.client, Transcoder.utf8(), 1_000, 100_000);
        keys = SoakKey.of(callers * KEYS_PER_CALLER);
    }

    void start() {
        for (int i = 0; i < callers; i++) {
            Random random = new Random(i);
            Thread thread = new Thread(() -> run(random), "caller-" + i);
            threads.add(thread);
            thread.start();
        }
    }

    /** Has all callers end, and fails if one hangs. */
    void end() throws InterruptedException {
        ending = true;
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(100));
            assertThat(thread.isAlive())
                    .as("%s hangs at %s", thread, List.of(thread.getStackTrace()))
                    .isFalse();
        }
    }

    /** What must not have happened. */
    List<String> wrong() {
        return List.copyOf(wrong);
    }

    /** How many failures were expected. */
    long failures() {
        return failures.sum();
    }

    /** How many times a caller found what was written last, while the servers did not change. */
    long checked() {
        return checked.sum();
    }

    /** How many values were written. */
    long written() {
        return versions.get();
    }

    private void run(Random random) {
        while (!ending) {
            // Many callers leave something of a small machine to the servers.
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100L * callers));
            SoakKey key = keys.get(random.nextInt(keys.size()));
            if (!key.tryLock()) {
                continue;
            }
            try {
                use(key.text(), random);
            } catch (MemcachedException e) {
                key.giveUp();
                failed(List.of(e));
            } catch (Throwable e) {
                tell(e + " at " + List.of(e.getStackTrace()));
            } finally {
                key.unlock();
            }
        }
    }

    private void failed(Collection<MemcachedException> all) {
        all.stream().filter(expected.negate()).forEach(each -> tell(each + " at " + List.of(each.getStackTrace())));
        failures.add(all.size());
    }

    private void tell(String what) {
        if (wrong.size() < MOST_WRONG) {
            wrong.add(what);
        }
    }

    private String newValue(String key) {
        return key + ':' + versions.incrementAndGet();
    }

    private Map<String, String> newValues(Collection<String> some) {
        return some.stream().collect(Collectors.toMap(key -> key, this::newValue));
    }

    /** Compares the values of keys with what was written last; null for any value of the key. */
    private void check(Object before, String key, @Nullable String written, @Nullable String read) {
        if (read != null && !read.startsWith(key + ':')) {
            tell("under " + key + ": " + read);
        }
        if (written != null && before.equals(over.state.get())) {
            checked.increment();
            if (!written.equals(read) && !(read == null && serversForget)) {
                tell("wrote " + written + " and read " + read + " over " + before);
            }
        }
    }

    private void use(String key, Random random) {
        MemcachedClient<String> client = over.client;
        boolean blocks = random.nextInt(4) > 0;
        List<String> many =
                IntStream.range(0, MANY).mapToObj(i -> key + '-' + i).toList();
        Object before = over.state.get();
        switch (random.nextInt(10)) {
            case 0, 1 -> writeMany(before, many, blocks);
            case 2 -> {
                String own = key + "-loaded";
                String loaded = blocks
                        ? client.getOrLoad(own, HOUR, this::newValue)
                        : result(over.async.getOrLoad(
                                own, HOUR, missing -> CompletableFuture.completedFuture(newValue(missing))));
                check(before, own, null, loaded);
                client.delete(own);
            }
            case 3 -> {
                var loaded = client.multiGetOrLoad(many, HOUR, this::newValues);
                loaded.hits().forEach((each, value) -> check(before, each, null, value));
                failed(loaded.failures().values());
                if (loaded.failures().isEmpty() && !loaded.misses().isEmpty()) {
                    tell("not loaded: " + loaded.misses());
                }
                failed(client.multiDelete(many).failures().values());
            }
            case 4 -> {
                String large = key + "-large";
                chunked.set(large, newValue(large) + " ".repeat(20_000), HOUR);
                check(before, large, null, chunked.get(large));
                client.version();
            }
            default -> {
                String value = newValue(key);
                if (blocks) {
                    client.set(key, value, HOUR);
                } else {
                    result(over.async.set(key, value, HOUR));
                }
                check(before, key, value, blocks ? client.get(key) : result(over.async.get(key)));
            }
        }
    }

    private void writeMany(Object before, List<String> many, boolean blocks) {
        Map<String, String> values = newValues(many);
        var written = blocks ? over.client.multiSet(values, HOUR) : result(over.async.multiSet(values, HOUR));
        var read = blocks ? over.client.multiGet(many) : result(over.async.multiGet(many));
        failed(written.failures().values());
        failed(read.failures().values());
        written.done().stream()
                .filter(each -> !read.failures().containsKey(each))
                .forEach(each ->
                        check(before, each, values.get(each), read.hits().get(each)));
        if (!written.failures().isEmpty()) {
            // A write may come late, so the keys get other names.
            throw written.failures().values().iterator().next();
        }
    }

    private static <T> T result(CompletableFuture<T> future) {
        return Futures.result(future);
    }
}
