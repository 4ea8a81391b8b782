// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.admin.ServerHealth;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.options.FailurePolicy;
import io.memshard.testkit.ClosedPort;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.fault.ScriptedServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whether a server answers is a result, and never an exception. */
@Timeout(300)
class HealthIT {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(100);

    private static Memshard memshard(int port, FailurePolicy policy) {
        return Fleet.patient()
                .servers("127.0.0.1:" + port)
                .failurePolicy(policy)
                .build();
    }

    @Test
    void serverThatAnswersIsUp() {
        try (EmbeddedMemcached server = EmbeddedMemcached.start();
                Memshard memshard = memshard(server.port(), FailurePolicy.FAIL_FAST)) {
            ServerHealth health = memshard.health(LONG);

            assertThat(health.isUp()).isTrue();
            assertThat(health.reason()).isNull();
            assertThat(health.failure()).isNull();
            assertThat(health.latency()).isPositive();
            assertThat(health)
                    .hasToString("127.0.0.1:" + server.port() + " is up, after "
                            + health.latency().toMillis() + " ms");
        }
    }

    @ParameterizedTest
    @EnumSource(FailurePolicy.class)
    void serverThatIsGoneIsDownUnderEveryPolicy(FailurePolicy policy) {
        try (ScriptedServer gone = ScriptedServer.start()) {
            gone.stopAccepting();
            try (Memshard memshard = memshard(gone.port(), policy)) {
                ServerHealth health = memshard.health(LONG);

                assertThat(health.isUp()).isFalse();
                assertThat(health.failure()).isInstanceOf(MemcachedConnectionException.class);
                assertThat(health.reason()).contains("refused");
                assertThat(health.toString()).contains(" is down, after ", "refused");
            }
        }
    }

    @Test
    void silentServerIsDownAfterTheTimeout() {
        try (ScriptedServer silent = ScriptedServer.start();
                Memshard memshard = memshard(silent.port(), FailurePolicy.FAIL_FAST)) {
            ServerHealth health = memshard.health(SHORT);

            assertThat(health.isUp()).isFalse();
            assertThat(health.failure()).isInstanceOf(MemcachedTimeoutException.class);
            assertThat(health.latency()).isGreaterThanOrEqualTo(SHORT);
            assertThat(health.latency()).isLessThan(LONG.dividedBy(2)); // The request timeout is LONG.
        }
    }

    @Test
    void interruptAndIllegalTimeoutAreThrown() {
        try (ScriptedServer silent = ScriptedServer.start();
                Memshard memshard = memshard(silent.port(), FailurePolicy.FAIL_FAST)) {
            assertThatIllegalArgumentException().isThrownBy(() -> memshard.health(Duration.ZERO));
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> memshard.health(LONG)).isInstanceOf(MemcachedInterruptedException.class);
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void nameAndAddressOfAServerAreShown() {
        try (ClosedPort port = new ClosedPort();
                Memshard memshard = Memshard.builder()
                        .servers("cache-2=127.0.0.1:" + port.port())
                        .connectionsPerServer(1)
                        .requestTimeout(LONG)
                        .build()) {
            String shown = "cache-2 (127.0.0.1:" + port.port() + ")";

            assertThatThrownBy(() -> memshard.client().get("a"))
                    .hasMessageEndingWith("mg \"a\" on " + shown + "[0], queued");
            assertThat(memshard.serverStatuses()).singleElement().asString().startsWith(shown);
            assertThat(memshard.healthByServer(LONG))
                    .singleElement()
                    .extracting(ServerHealth::server)
                    .hasToString(shown);
            assertThat(memshard.servers()).hasToString("[cache-2=127.0.0.1:" + port.port() + "]");
        }
    }
}
