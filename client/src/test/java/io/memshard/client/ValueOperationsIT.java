// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiWriteResult;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of values: those above a limit, and those that a transcoder makes or reads. */
@ParameterizedClass
@MethodSource("io.memshard.client.ClientVariant#chosen")
class ValueOperationsIT extends OperationsFixture {

    ValueOperationsIT(ClientVariant variant) {
        super(variant);
    }

    @Test
    void valueAboveTheClientsLimitFailsItsKeyOnly() {
        try (ConnectionGroup small = variant.group(10)) {
            Connection limited = variant.connection(small);
            MemcachedClient<String> limitedClient = variant.client(limited, 10);
            client.set(key("large"), "01234567890", HOUR);
            client.set(key("fits"), "0123456789", HOUR);

            assertThatExceptionOfType(MemcachedValueTooLargeException.class)
                    .isThrownBy(() -> limitedClient.get(key("large")))
                    .withMessageContaining("maxValueBytes=10");
            MultiGetResult<String> result = limitedClient.multiGet(List.of(key("large"), key("fits"), key("miss")));
            assertThat(result.hits()).containsOnlyKeys(key("fits"));
            assertThat(result.misses()).containsExactly(key("miss"));
            assertThat(result.failures()).containsOnlyKeys(key("large"));
            assertThatExceptionOfType(MemcachedValueTooLargeException.class).isThrownBy(result::hitsOrThrow);
            assertThatExceptionOfType(MemcachedValueTooLargeException.class)
                    .isThrownBy(() -> limitedClient.set(key("large"), "01234567890", HOUR))
                    .withMessageContaining("the value was not sent");
            MultiWriteResult stored =
                    limitedClient.multiSet(Map.of(key("large"), "01234567890", key("fits"), "0123456789"), HOUR);
            assertThat(stored.done()).containsExactly(key("fits"));
            assertThat(stored.failures()).containsOnlyKeys(key("large"));
            assertThatExceptionOfType(MemcachedValueTooLargeException.class)
                    .isThrownBy(stored::doneOrThrow)
                    .withMessageContaining("the value was not sent")
                    .satisfies(e -> assertThat(e.isSafeToRetry()).isTrue());
            assertThat(limitedClient.get(key("fits"))).isEqualTo("0123456789");
            assertThat(limited.state()).isEqualTo(ConnectionState.READY);
        }
        assertThat(client.get(key("large"))).isNull();
    }

    @Test
    void setOfATooLargeValueDeletesTheOldItem() {
        try (ConnectionGroup small = variant.group(10)) {
            MemcachedClient<String> limited = variant.client(variant.connection(small), 10);
            for (MemcachedClient<String> each : List.of(limited, client)) {
                MemcachedClient<String> prefixed = each.withKeyPrefix(key(""));
                String tooLarge = "x".repeat(each == limited ? 11 : ClientVariant.MAX_VALUE_BYTES - 1);
                client.multiSet(Map.of(key("a"), "old", key("b"), "old", key("c"), "old"), HOUR);
                assertThatExceptionOfType(MemcachedValueTooLargeException.class)
                        .isThrownBy(() -> prefixed.set("a", tooLarge, HOUR))
                        .satisfies(e -> assertThat(e.getSuppressed()).isEmpty());
                assertThat(prefixed.multiSet(Map.of("b", tooLarge, "c", "new"), HOUR)
                                .failures())
                        .hasSize(1)
                        .hasEntrySatisfying("b", e -> {
                            assertThat(e.isSafeToRetry()).isEqualTo(each == limited);
                            assertThat(e.getSuppressed()).isEmpty();
                        });
                assertThat(client.multiGet(List.of(key("a"), key("b"), key("c")))
                                .hits())
                        .containsExactly(Map.entry(key("c"), "new"));
            }
        }
    }

    @Test
    void otherStoresLeaveTheItemIfTheClientTakesTheValueForTooLarge() {
        try (ConnectionGroup small = variant.group(10)) {
            MemcachedClient<String> limited = variant.client(variant.connection(small), 10);
            String tooLarge = "x".repeat(11);
            client.set(key("a"), "old", HOUR);
            long casUnique = client.gets(key("a")).casUnique();
            for (ThrowingCallable store : List.<ThrowingCallable>of(
                    () -> limited.add(key("a"), tooLarge, HOUR),
                    () -> limited.replace(key("a"), tooLarge, HOUR),
                    () -> limited.append(key("a"), tooLarge),
                    () -> limited.prepend(key("a"), tooLarge),
                    () -> limited.cas(key("a"), tooLarge, casUnique, HOUR))) {
                assertThatExceptionOfType(MemcachedValueTooLargeException.class).isThrownBy(store);
                assertThat(client.get(key("a"))).isEqualTo("old");
            }
        }
    }

    private record Coding<V>(Function<V, EncodedValue> encoder, BiFunction<byte[], Integer, V> decoder)
            implements Transcoder<V> {

        @Override
        public EncodedValue encode(V value) {
            return encoder.apply(value);
        }

        @Override
        public V decode(byte[] data, int flags) {
            return decoder.apply(data, flags);
        }
    }

    @Test
    void failureToDecodeNamesItsCommand() {
        client.set(key("a"), "no number", HOUR);
        assertThatExceptionOfType(MemcachedDecodingException.class)
                .isThrownBy(() -> client.withTranscoder(Transcoder.counter()).get(key("a")))
                .withMessageContaining("another key prefix (flags 0x0): " + verb("mg ", "get "))
                .satisfies(e -> assertThat(e.context()).isNotNull());
    }

    @Test
    void blockingCallsDecodeOnTheCallersThread() {
        Transcoder<Thread> decoder =
                new Coding<>(value -> new EncodedValue(new byte[1], 0), (data, flags) -> Thread.currentThread());
        MemcachedClient<Thread> threads = Clients.blocking(connection(), decoder, 100, PatientOptions.LONG);
        threads.set(key("a"), Thread.currentThread(), HOUR);
        assertThat(threads.get(key("a"))).isSameAs(Thread.currentThread());
        assertThat(threads.multiGet(List.of(key("a"))).hits()).containsEntry(key("a"), Thread.currentThread());
    }

    /** Fails as the transcoder of a value does that is too deep, too large or not for it. */
    private static Transcoder<String> fragile(Error error) {
        return new Coding<>(value -> Transcoder.utf8().encode(value), (data, flags) -> {
            String value = Transcoder.utf8().decode(data, flags);
            if (value.equals("bad")) {
                throw error;
            }
            return value;
        });
    }

    @Test
    void lackOfStackOrMemoryForAValueIsTheFailureOfItsKeyAlone() {
        client.set(key("a"), "good", HOUR);
        client.set(key("b"), "bad", HOUR);
        for (Error error : List.of(new StackOverflowError(), new OutOfMemoryError())) {
            MemcachedClient<String> fragile = client.withTranscoder(fragile(error));
            MultiGetResult<String> all = fragile.multiGet(List.of(key("a"), key("b")));
            assertThat(all.hits()).containsExactly(Map.entry(key("a"), "good"));
            assertThat(all.failures()).containsOnlyKeys(key("b"));
            assertThatExceptionOfType(MemcachedDecodingException.class).isThrownBy(() -> fragile.get(key("b")));
            assertThat(fragile.withFailurePolicy(FailurePolicy.TREAT_AS_MISS).get(key("b")))
                    .isNull();
        }
        Error other = new AssertionError("not of the value");
        assertThatThrownBy(() -> client.withTranscoder(fragile(other)).get(key("b")))
                .isNotInstanceOf(MemcachedDecodingException.class)
                .satisfiesAnyOf(
                        e -> assertThat(e).isSameAs(other), e -> assertThat(e).hasRootCause(other));
        assertThat(connection().inFlight()).isZero();
    }
}
