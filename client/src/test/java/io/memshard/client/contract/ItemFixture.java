// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.testkit.Eventually;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A subject for each test, closed and checked for leaks, and keys of the test's own. */
public abstract class ItemFixture {

    protected static final Duration HOUR = Duration.ofHours(1);

    private static final AtomicInteger TESTS = new AtomicInteger();

    /**
     * Of its own for each test, since the servers are shared. Without a minus sign: memcached 1.6.18 looks for one in a
     * number from 2^63 on and goes beyond its end, where an item of before may have left it.
     */
    private final String prefix = "test" + ProcessHandle.current().pid() + '.' + TESTS.getAndIncrement() + ':';

    private LeakCheck leaks;
    private Subject subject;

    /** The client under test, as a blocking one. */
    protected MemcachedClient<String> client;

    /** Opens the subject of a test. */
    protected abstract Subject open();

    /** Starts the check for what a client of the subject's kind may leave. */
    protected LeakCheck startLeakCheck() {
        return LeakCheck.start();
    }

    @BeforeEach
    final void openSubject() {
        leaks = startLeakCheck();
        subject = open();
        client = subject.client();
    }

    @AfterEach
    final void closeSubject() throws Exception {
        if (subject != null) {
            subject.resource().close();
            leaks.assertNothingLeft();
        }
    }

    protected final Subject.Speech speech() {
        return subject.speech();
    }

    /** The verb of a command as the server gets it, if the subject's messages name one. */
    protected final String verb(String meta, String classic) {
        return switch (speech()) {
            case META -> meta;
            case CLASSIC -> classic;
            case SPYMEMCACHED -> "";
        };
    }

    /** The key under which a server has the item of a key. */
    protected String stored(String key) {
        return key;
    }

    protected final String key(String name) {
        return prefix + name;
    }

    /**
     * The server's clock may be seconds behind, to which the time of an item above 30 days is sensitive. A minute has
     * passed at most, since no test takes longer.
     */
    protected final void expiresWithin(String key, Duration ttl) {
        hasTtlBetween(key, ttl.toSeconds() - 60, ttl.toSeconds() + 10);
    }

    protected final void neverExpires(String key) {
        hasTtlBetween(key, -1, -1);
    }

    private void hasTtlBetween(String key, long least, long most) {
        Predicate<List<? extends Long>> isRight =
                ttls -> !ttls.isEmpty() && ttls.stream().allMatch(seconds -> least <= seconds && seconds <= most);
        if (subject.items().size() > 1) { // A client need not wait for each copy.
            Eventually.eventually(least + " to " + most + " seconds left", () -> isRight.test(ttlSeconds(key)));
        } else {
            assertThat(ttlSeconds(key)).matches(isRight, least + " to " + most + " seconds left");
        }
    }

    /** The remaining time to live in seconds at each server that has the item, -1 if the item never expires. */
    private List<Long> ttlSeconds(String key) {
        return subject.items().stream()
                .map(server -> ttlSeconds(server, key))
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<Long> ttlSeconds(MemcachedServer server, String key) {
        try (Socket socket = new Socket(server.host(), server.port())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(("mg " + stored(key) + " t\r\n").getBytes(UTF_8));
            String line = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8)).readLine();
            return line.equals("EN") ? Optional.empty() : Optional.of(Long.valueOf(line.split("[t ]")[2]));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Text of the exception for what the subject cannot do. */
    protected final String lack() {
        return speech() == Subject.Speech.SPYMEMCACHED
                ? "use engine MEMSHARD"
                : "protocol CLASSIC, which is in use, lacks this function";
    }

    protected static void assertUnsupported(String advice, ThrowingCallable... calls) {
        for (ThrowingCallable call : calls) {
            assertThatExceptionOfType(MemcachedUnsupportedException.class)
                    .isThrownBy(call)
                    .withMessageContaining(advice);
        }
    }
}
