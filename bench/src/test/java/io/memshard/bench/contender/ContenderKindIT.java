// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.server.Keyspace;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.ServerLadder;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** One contract over every contender: what the figures silently rely on. */
@Timeout(60)
@Tag("deep")
@Tag("installed")
class ContenderKindIT {

    private static final Keyspace KEYS = Keyspace.of(20, 16 * 1024);
    private static final int THREADS = 8;

    /** Time-out of 390 ms, which a busy machine exceeds. In all else it is {@code MEMSHARD_THREAD_ID}. */
    private static final String SHORT_TIMEOUT = "MEMSHARD_TIMED_WAITS";

    private static MemcachedServer server;

    @BeforeAll
    static void findServer() {
        server = ServerLadder.find().server();
        KEYS.fill(server.address());
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = SHORT_TIMEOUT)
    void aValueThatOneContenderStoresIsTheSameForAnother(ContenderKind kind) throws Exception {
        Keyspace own = Keyspace.of(5, 100 + kind.ordinal());
        try (Contender contender = open(kind);
                Contender plain = open(ContenderKind.SOCKET_PER_THREAD)) {
            assertThat(contender.get(own.key(0))).isNull();
            for (int key = 0; key < own.size(); key++) {
                contender.set(own.key(key), own.value(key));
                assertThat(plain.get(own.key(key))).isEqualTo(own.value(key));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = SHORT_TIMEOUT)
    void manyThreadsGetTheValuesOfAPlainSocket(ContenderKind kind) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (Contender contender = open(kind)) {
            Callable<Long> caller = () -> {
                long wrong = 0;
                for (int i = 0; i < 2 * KEYS.size(); i++) {
                    int key = i % KEYS.size();
                    wrong += KEYS.isValueOf(key, contender.get(KEYS.key(key))) ? 0 : 1;
                }
                return wrong;
            };
            for (Future<Long> wrong : threads.invokeAll(Collections.nCopies(THREADS, caller))) {
                assertThat(wrong.get()).isZero();
            }
        } finally {
            threads.shutdown();
        }
    }

    private static Contender open(ContenderKind kind) {
        return kind.open(new ContenderSettings(List.of(server.address()), 2, 3, ContenderSettings.TIMEOUT));
    }
}
