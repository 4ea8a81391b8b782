// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ServerState;
import io.memshard.client.listener.ServerStatus;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One of three servers under load is stopped by a signal: its sockets stay open, and nothing is answered. */
@Tag("deep")
@NeedsProgram(Program.MEMCACHED)
@Timeout(600)
class StoppedServerIT {

    private static final int ROUNDS = 20;
    private static final int CALLERS = 8;
    private static final int CALLS = 5_000;
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration REQUEST = Duration.ofMillis(500);

    /** The bound of docs/server-down.md for this request timeout. */
    private static final Duration BOUND = Duration.ofMillis(2_600);

    private final LeakCheck leaks = LeakCheck.start();

    @Test
    void isEjectedWithinTheBoundInNineteenOfTwentyRounds() throws Exception {
        try (MemcachedProcess first = MemcachedProcess.start();
                MemcachedProcess second = MemcachedProcess.start();
                MemcachedProcess third = MemcachedProcess.start()) {
            List<MemcachedProcess> servers = List.of(first, second, third);
            List<Duration> taken = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                taken.add(ejects(servers, servers.get(round % servers.size())));
            }
            assertThat(taken.stream().filter(each -> each.compareTo(BOUND) <= 0)) // What is promised.
                    .as(taken.toString())
                    .hasSizeGreaterThanOrEqualTo(ROUNDS - 1);
        }
        leaks.assertNothingLeft();
    }

    /** How long it takes from the stop until the server is ejected, for a client of its own. */
    private static Duration ejects(List<MemcachedProcess> servers, MemcachedProcess stopped) throws Exception {
        AtomicReference<Instant> ejected = new AtomicReference<>();
        AtomicLong calls = new AtomicLong();
        AtomicBoolean over = new AtomicBoolean();
        try (Memshard memshard = Memshard.builder()
                .servers(servers.stream()
                        .map(server -> "127.0.0.1:" + server.port())
                        .collect(Collectors.joining(", ")))
                .requestTimeout(REQUEST) // What is tested.
                .connectTimeout(LONG)
                .listener(new ConnectionListener() {
                    @Override
                    public void serverStateChanged(ServerStatus before, ServerStatus now) {
                        if (now.state() == ServerState.EJECTED) {
                            ejected.compareAndSet(null, now.since());
                        }
                    }
                })
                .build()) {
            memshard.awaitReady(LONG);
            MemcachedClient<String> blocking = memshard.client(Transcoder.utf8());
            AsyncMemcachedClient<String> async = memshard.asyncClient(Transcoder.utf8());
            List<Thread> callers = IntStream.range(0, CALLERS)
                    .mapToObj(caller -> new Thread(() -> {
                        for (int i = 0; !over.get(); i++) {
                            call(blocking, async, "key" + i % 1_000, caller);
                            calls.incrementAndGet();
                        }
                    }))
                    .toList();
            callers.forEach(Thread::start);
            eventually("load", () -> calls.get() >= CALLS);
            Instant begin = Instant.now();
            stopped.stop();
            try {
                eventually("ejected", () -> ejected.get() != null);
            } finally {
                stopped.resume();
                over.set(true);
                for (Thread caller : callers) {
                    caller.join();
                }
            }
            return Duration.between(begin, ejected.get());
        }
    }

    private static void call(
            MemcachedClient<String> blocking, AsyncMemcachedClient<String> async, String key, int caller) {
        try {
            if (caller % 2 == 0) {
                blocking.get(key);
            } else {
                async.get(key).join();
            }
        } catch (MemcachedException | CompletionException e) {
            // What ejects the server.
        }
    }
}
