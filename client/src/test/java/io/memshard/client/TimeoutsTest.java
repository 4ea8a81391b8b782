// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.client.connection.TimerlessSender;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.protocol.Command;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.SendMode;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is no request timeout is refused where it is given, before anything is sent. */
class TimeoutsTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private static final CommandSender SENDS_NOTHING = new TimerlessSender() {
        @Override
        public <T> Reply<T> send(Command<T> command, SendMode mode) {
            throw new AssertionError(command);
        }

        @Override
        public <T> T call(Command<T> command, long timeoutNanos) {
            throw new AssertionError(command);
        }
    };

    private static MemcachedClient<String> blocking(Duration timeout) {
        return Clients.blocking(SENDS_NOTHING, Transcoder.utf8(), 1000, timeout);
    }

    private static AsyncMemcachedClient<String> async(Duration timeout) {
        return Clients.blocking(SENDS_NOTHING, Transcoder.utf8(), 1000, timeout).async();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT576H0.000000001S", "PT2562047788015215H30M7S"})
    void timeoutOutOfRangeIsRefused(Duration timeout) {
        String reason = " is " + timeout + ", but must be more than zero and at most PT576H";
        for (FailurePolicy policy : FailurePolicy.values()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> blocking(SECOND).withFailurePolicy(policy).withTimeout(timeout))
                    .withMessage("timeout" + reason);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> async(SECOND).withFailurePolicy(policy).withTimeout(timeout))
                    .withMessage("timeout" + reason);
        }
        assertThatIllegalArgumentException().isThrownBy(() -> blocking(timeout)).withMessage("requestTimeout" + reason);
        assertThatIllegalArgumentException().isThrownBy(() -> async(timeout)).withMessage("requestTimeout" + reason);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Clients.admin(Map.of(), timeout))
                .withMessage("requestTimeout" + reason);
    }

    @Test
    void timeoutOf24DaysIsTaken() {
        Duration longest = Duration.ofDays(24);
        assertThat(blocking(longest).withTimeout(longest)).isNotNull();
        assertThat(async(longest).withTimeout(longest)).isNotNull();
    }
}
