// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.connection.TimerlessSender;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.protocol.Command;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.SendMode;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ClientsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private final CommandSender nowhere = new TimerlessSender() {
        @Override
        public <T> Reply<T> send(Command<T> command, SendMode mode) {
            throw new UnsupportedOperationException();
        }
    };

    private final MemcachedClient<String> blocking = Clients.blocking(nowhere, Transcoder.utf8(), 100, TIMEOUT);
    private final AsyncMemcachedClient<String> async = Clients.async(nowhere, Transcoder.utf8(), 100, TIMEOUT);

    private static void refused(ThrowingCallable call, String message) {
        assertThatNullPointerException().isThrownBy(call).withMessage(message);
    }

    @Test
    void nullPolicyIsRefusedAtOnce() {
        refused(() -> blocking.withFailurePolicy(null), "policy is null");
        refused(() -> async.withFailurePolicy(null), "policy is null");
        MemcachedClient<String> retrying = blocking.withFailurePolicy(FailurePolicy.RETRY_ONCE_IF_SAFE);
        refused(() -> retrying.withFailurePolicy(null), "policy is null");
    }

    @Test
    void nullTranscoderIsRefusedAtOnce() {
        refused(() -> Clients.blocking(nowhere, null, 100, TIMEOUT), "transcoder is null");
        refused(() -> Clients.async(nowhere, null, 100, TIMEOUT), "transcoder is null");
        refused(() -> blocking.withTranscoder(null), "transcoder is null");
        refused(
                () -> blocking.withFailurePolicy(FailurePolicy.TREAT_AS_MISS).withTranscoder(null),
                "transcoder is null");
    }
}
