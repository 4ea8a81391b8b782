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
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
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

    private static final Pattern BLAME =
            Pattern.compile("nothing received for (\\d+) ms, its reading thread was blocked for (\\d+) ms");

    private final LeakCheck leaks = LeakCheck.start();

    /** Of the time-outs. */
    private final List<String> messages = new CopyOnWriteArrayList<>();

    @ParameterizedTest
    @CsvSource({"160, 4, false", "160, 4, true"})
    void isEjected(int percent, int callers, boolean async) throws Exception {
        ejects(percent, callers, async);
    }

    @Tag("deep")
    @ParameterizedTest
    @CsvSource({
        "130, 1, false",
        "130, 4, false",
        "130, 16, true",
        "160, 1, false",
        "160, 1, true",
        "160, 16, false",
        "160, 16, true",
        "300, 1, false",
        "300, 4, true",
        "300, 16, false"
    })
    void isEjectedWithEachDelay(int percent, int callers, boolean async) throws Exception {
        ejects(percent, callers, async);
    }

    /** The proxy holds a request back, and then its reply: a call takes {@code percent} of the timeout at least. */
    private void ejects(int percent, int callers, boolean async) throws Exception {
        try (EmbeddedMemcached late = EmbeddedMemcached.start();
                EmbeddedMemcached healthy = EmbeddedMemcached.start();
                FaultProxy proxy = new FaultProxy(new InetSocketAddress("127.0.0.1", late.port()));
                Memshard memshard = open(proxy, healthy)) {
            String key = keyOf(memshard, proxy.address().getPort());
            UnaryOperator<String> get = getter(memshard, key, async);
            proxy.delay(REQUEST.multipliedBy(percent).dividedBy(200));
            callUntilEjected(memshard, get, key, callers);
            assertThat(isUp(memshard)).as(messages.size() + " time-outs").isFalse();
            assertThat(messages).hasSizeLessThanOrEqualTo(MOST_TIMEOUTS * callers);
        }
        leaks.assertNothingLeft();
    }

    /** Nor is it where callers of the other server keep the reader awake. */
    @Test
    void silenceIsNotBlamedOnTheReader() throws Exception {
        try (EmbeddedMemcached silent = EmbeddedMemcached.start();
                EmbeddedMemcached healthy = EmbeddedMemcached.start();
                FaultProxy proxy = new FaultProxy(new InetSocketAddress("127.0.0.1", silent.port()));
                Memshard memshard = open(proxy, healthy)) {
            String key = keyOf(memshard, proxy.address().getPort());
            UnaryOperator<String> get = getter(memshard, key, false);
            String other = keyOf(memshard, healthy.port());
            List<Thread> busy = IntStream.range(0, 8)
                    .mapToObj(i -> new Thread(() -> {
                        while (isUp(memshard)) {
                            memshard.client().withTimeout(LONG).get(other);
                        }
                    }))
                    .toList();
            busy.forEach(Thread::start);
            proxy.stall(true);
            callUntilEjected(memshard, get, key, 8);
            for (Thread thread : busy) {
                thread.join();
            }
            assertThat(messages).allSatisfy(message -> {
                Matcher blame = BLAME.matcher(message);
                // A reader without CPU may be blocked too, but hardly for as long as the server is silent.
                if (blame.find() && Long.parseLong(blame.group(1)) > 3 * REQUEST.toMillis()) {
                    assertThat(blame.group(2)).as(message).isNotEqualTo(blame.group(1));
                }
            });
        }
        leaks.assertNothingLeft();
    }

    private void callUntilEjected(Memshard memshard, UnaryOperator<String> get, String key, int callers)
            throws InterruptedException {
        List<Thread> threads = IntStream.range(0, callers)
                .mapToObj(i -> new Thread(() -> callUntilEjected(memshard, get, key)))
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void callUntilEjected(Memshard memshard, UnaryOperator<String> get, String key) {
        for (int i = 0; i < 10 * MOST_TIMEOUTS && isUp(memshard); i++) {
            try {
                get.apply(key);
            } catch (MemcachedException | CompletionException e) {
                if (e instanceof MemcachedTimeoutException || e.getCause() instanceof MemcachedTimeoutException) {
                    messages.add(e.getMessage());
                }
            }
        }
    }

    @Test
    void isNotEjectedForOneSlowAnswer() throws Exception {
        try (EmbeddedMemcached late = EmbeddedMemcached.start();
                EmbeddedMemcached healthy = EmbeddedMemcached.start();
                FaultProxy proxy = new FaultProxy(new InetSocketAddress("127.0.0.1", late.port()));
                Memshard memshard = open(proxy, healthy)) {
            String key = keyOf(memshard, proxy.address().getPort());
            UnaryOperator<String> get = getter(memshard, key, false);
            for (int i = 0; i < 10; i++) {
                proxy.delay(REQUEST);
                callOnce(get, key);
                proxy.heal();
                assertThat(memshard.client(Transcoder.utf8()).withTimeout(LONG).get(key))
                        .isEqualTo("v");
            }
            assertThat(memshard.serverStatuses()).allMatch(each -> each.state() == ServerState.UP);
        }
        leaks.assertNothingLeft();
    }

    private static void callOnce(UnaryOperator<String> get, String key) {
        try {
            get.apply(key);
        } catch (MemcachedTimeoutException e) {
            // The slow answer.
        }
    }

    private static Memshard open(FaultProxy proxy, EmbeddedMemcached healthy) {
        return Memshard.builder()
                .servers("127.0.0.1:" + proxy.address().getPort() + ", 127.0.0.1:" + healthy.port())
                .requestTimeout(REQUEST) // What is tested.
                .connectTimeout(LONG)
                .build();
    }

    private static String keyOf(Memshard memshard, int port) {
        return IntStream.range(0, 1_000)
                .mapToObj(i -> "key" + i)
                .filter(each -> memshard.serverOf(each).address().port() == port)
                .findFirst()
                .orElseThrow();
    }

    /** Opens the sockets of both kinds of callers. */
    private static UnaryOperator<String> getter(Memshard memshard, String key, boolean async) {
        MemcachedClient<String> blocking = memshard.client(Transcoder.utf8());
        AsyncMemcachedClient<String> other = memshard.asyncClient(Transcoder.utf8());
        blocking.withTimeout(LONG).set(key, "v", Duration.ofHours(1));
        other.withTimeout(LONG).get(key).join();
        return async ? each -> other.get(each).join() : blocking::get;
    }

    private static boolean isUp(Memshard memshard) {
        return memshard.serverStatuses().get(0).state() == ServerState.UP;
    }
}
