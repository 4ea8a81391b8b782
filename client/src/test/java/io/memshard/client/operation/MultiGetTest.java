// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import static io.memshard.client.PatientOptions.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.connection.TimerlessSender;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedIllegalKeyException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.protocol.Command;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.SendMode;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MultiGetTest {

    private static final Duration SHORT = Duration.ofMillis(50);

    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicLong awaitedNanos = new AtomicLong();

    /** Takes commands and never answers: each fails when its time is over, or at once. */
    private final class Silence implements TimerlessSender {

        private final boolean takesTime;

        Silence(boolean takesTime) {
            this.takesTime = takesTime;
        }

        @Override
        public <T> Reply<T> send(Command<T> command, SendMode mode) {
            sent.incrementAndGet();
            return new Reply<>() {
                @Override
                public T await(long timeoutNanos) {
                    long deadline = System.nanoTime() + timeoutNanos;
                    awaitedNanos.addAndGet(Math.max(0, timeoutNanos));
                    while (takesTime && deadline - System.nanoTime() > 0) { // A reply that never comes.
                        LockSupport.parkNanos(deadline - System.nanoTime());
                    }
                    throw failure();
                }

                @Override
                public CompletableFuture<T> toFuture(Duration timeout) {
                    return CompletableFuture.failedFuture(failure());
                }
            };
        }
    }

    private static MemcachedException failure() {
        return new MemcachedTimeoutException("silence", null, null);
    }

    private final CommandSender silence = new Silence(false);
    private final MemcachedClient<String> client = Clients.blocking(silence, Transcoder.utf8(), 100, LONG);
    private final AsyncMemcachedClient<String> asyncClient =
            Clients.blocking(silence, Transcoder.utf8(), 100, LONG).async();

    private static List<String> keys(int count) {
        return IntStream.range(0, count).mapToObj(i -> "k" + i).toList();
    }

    @Test
    void manyPartsTakeNoLongerThanOneTimeout() {
        MultiGetResult<String> result = Clients.blocking(new Silence(true), Transcoder.utf8(), 100, SHORT)
                .multiGet(keys(1_000));

        assertThat(sent).as("parts in flight").hasValueLessThanOrEqualTo(8);
        assertThat(result.failures()).hasSize(1_000);
        assertThat(result.failures().get("k999"))
                .isInstanceOf(MemcachedTimeoutException.class)
                .hasMessageContaining("before the command with this key was sent");
        assertThat(awaitedNanos).hasValueLessThanOrEqualTo(SHORT.toNanos());
    }

    private static List<String> illegal(MultiGetResult<String> result) {
        return result.failures().entrySet().stream()
                .filter(failed -> failed.getValue() instanceof MemcachedIllegalKeyException)
                .map(Map.Entry::getKey)
                .toList();
    }

    @Test
    void partsOfTheLegalKeysAreSentWhenAKeyIsIllegal() {
        List<String> keys = new ArrayList<>(keys(250));
        keys.set(249, "a b");
        for (MultiGetResult<String> result :
                List.of(client.multiGet(keys), asyncClient.multiGet(keys).join())) {
            assertThat(illegal(result)).containsExactly("a b");
            assertThat(result.failures()).containsOnlyKeys(keys);
            assertThatThrownBy(result::hitsOrThrow)
                    .isSameAs(result.failures().values().iterator().next());
        }
        assertThat(sent).hasValue(6);
    }

    @ParameterizedTest
    @EnumSource
    void noPolicyHidesAnIllegalKey(FailurePolicy policy) {
        assertThat(illegal(client.withFailurePolicy(policy).multiGet(List.of("a b"))))
                .containsExactly("a b");
        assertThat(illegal(asyncClient
                        .withFailurePolicy(policy)
                        .multiGet(List.of("a b"))
                        .join()))
                .containsExactly("a b");
        assertThat(sent).hasValue(0);
    }
}
