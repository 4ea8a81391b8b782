// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import static io.memshard.client.PatientOptions.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.load.ValueLoader;
import io.memshard.client.meta.DeleteRequest;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.meta.MetaClient;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.protocol.Command;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.SendMode;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Who loads, who waits and who gets what, among many callers of several clients that know nothing of each other. */
@ParameterizedClass
@MethodSource("io.memshard.client.ClientVariant#chosenMeta")
class GetOrLoadIT extends OperationsFixture {

    private static final int CLIENTS = 3;
    private static final int CALLERS = 20;
    private static final int MAX_VALUE_BYTES = 1024 * 1024;

    private final String key = key("load");
    private final LoadOptions patient =
            LoadOptions.DEFAULTS.withClaimTtl(HOUR).withMaxWait(LONG).withFailsAfterWait(true);
    private final LoadOptions impatient = patient.withMaxWait(Duration.ofMillis(50));

    private final AtomicInteger loads = new AtomicInteger();
    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch finish = new CountDownLatch(1);

    /** Open once each caller has asked for the item and most have asked again. */
    private final CountDownLatch asked = new CountDownLatch(3 * CALLERS);

    private ExecutorService threads;
    private final List<ConnectionGroup> groups = new ArrayList<>();
    private final List<MemcachedClient<String>> clients = new ArrayList<>();

    GetOrLoadIT(ClientVariant variant) {
        super(variant);
    }

    @BeforeEach
    void start() {
        threads = Executors.newFixedThreadPool(CALLERS + 1);
        for (int i = 0; i < CLIENTS; i++) {
            ConnectionGroup group = variant.group(MAX_VALUE_BYTES);
            groups.add(group);
            clients.add(variant.client(new Counted(variant.connection(group)), MAX_VALUE_BYTES));
        }
    }

    @AfterEach
    void stop() throws InterruptedException {
        finish.countDown();
        threads.shutdown();
        assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        groups.forEach(ConnectionGroup::close);
    }

    /** Counts the commands that are sent while one loads. */
    private final class Counted implements CommandSender {

        private final CommandSender sender;

        Counted(CommandSender sender) {
            this.sender = sender;
        }

        @Override
        public <T> Reply<T> send(Command<T> command, SendMode mode) {
            asked.countDown();
            return sender.send(command, mode);
        }

        @Override
        public CompletableFuture<@Nullable Void> pause(long nanos) {
            return sender.pause(nanos);
        }

        @Override
        public <T> T call(Command<T> command, long timeoutNanos) {
            asked.countDown();
            return sender.call(command, timeoutNanos);
        }
    }

    private MemcachedClient<String> client() {
        return clients.get(0);
    }

    private MetaClient<String> meta() {
        return client().meta();
    }

    /** Calls from many threads of all the clients. */
    private List<Future<String>> callAll(LoadOptions options, ValueLoader<String, String> loader) {
        List<Future<String>> calls = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            calls.add(call(clients.get(i % CLIENTS), options, loader));
        }
        return calls;
    }

    private Future<String> call(
            MemcachedClient<String> client, LoadOptions options, ValueLoader<String, String> loader) {
        Callable<String> call = () -> client.getOrLoad(key, HOUR, loader, options);
        return threads.submit(call);
    }

    private static String result(Future<String> call) throws Exception {
        return call.get(60, TimeUnit.SECONDS);
    }

    private static void allGet(String value, List<Future<String>> calls) throws Exception {
        for (Future<String> call : calls) {
            assertThat(result(call)).isEqualTo(value);
        }
    }

    /** A loader that says it has started, and waits to be let go. */
    private ValueLoader<String, String> slow(String value) {
        return k -> {
            loads.incrementAndGet();
            started.countDown();
            await(finish);
            return value;
        };
    }

    private ValueLoader<String, String> quick(String value) {
        return k -> {
            loads.incrementAndGet();
            return value;
        };
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static RuntimeException failure() {
        return new IllegalStateException("the source is down");
    }

    @Test
    void oneOfManyCallersLoadsAndAllGetItsValue() throws Exception {
        List<Future<String>> calls = callAll(patient, slow("loaded"));
        await(started);
        await(asked);
        finish.countDown();
        allGet("loaded", calls);
        assertThat(loads).hasValue(1);
        assertThat(client().get(key)).isEqualTo("loaded");
        assertThat(client().getOrLoad(key, HOUR, quick("again"))).isEqualTo("loaded");
        assertThat(loads).hasValue(1);
        assertThat(meta().get(GetRequest.of(key).returning(ItemField.TTL)).ttl().orElseThrow())
                .isBetween(HOUR.minusMinutes(1), HOUR.plusSeconds(1));
    }

    @Test
    void invalidatedValueIsServedWhileOneLoads() throws Exception {
        client().set(key, "old", HOUR);
        meta().delete(DeleteRequest.of(key).invalidate());
        Future<String> winner = call(clients.get(0), impatient, slow("new"));
        await(started);
        allGet("old", callAll(impatient, quick("not called")));
        finish.countDown();
        assertThat(result(winner)).isEqualTo("new");
        assertThat(loads).hasValue(1);
        assertThat(client().get(key)).isEqualTo("new");
    }

    @Test
    void invalidatedValueIsNotServedWithoutServesStale() throws Exception {
        client().set(key, "old", HOUR);
        meta().delete(DeleteRequest.of(key).invalidate());
        LoadOptions fresh = patient.withServesStale(false);
        List<Future<String>> calls = callAll(fresh, slow("new"));
        await(started);
        await(asked);
        finish.countDown();
        allGet("new", calls);
        assertThat(loads).hasValue(1);
    }

    @Test
    void valueNearItsEndIsServedWhileOneLoads() throws Exception {
        client().set(key, "old", Duration.ofMinutes(1));
        LoadOptions early = impatient.withRecacheBelow(Duration.ofMinutes(2)).withServesStale(false);
        Future<String> winner = call(clients.get(1), early, slow("new"));
        await(started);
        allGet("old", callAll(early, quick("not called")));
        finish.countDown();
        assertThat(result(winner)).isEqualTo("new");
        assertThat(loads).hasValue(1);
    }

    @Test
    void failureIsThrownToItsCallerAndAnotherLoadsAtOnce() throws Exception {
        Future<String> failing = call(clients.get(0), patient, k -> {
            started.countDown();
            await(finish);
            throw failure();
        });
        await(started);
        List<Future<String>> calls = callAll(patient, quick("loaded"));
        await(asked);
        finish.countDown();
        assertThatExceptionOfType(Exception.class)
                .isThrownBy(() -> result(failing))
                .withStackTraceContaining("the source is down");
        allGet("loaded", calls);
        assertThat(loads).hasValue(1);
    }

    @Test
    void failureOverAStaleValueLeavesItForAnotherToLoad() {
        client().set(key, "old", HOUR);
        meta().delete(DeleteRequest.of(key).invalidate());
        assertThatFails(patient);
        assertThat(client().getOrLoad(key, HOUR, quick("new"), patient)).isEqualTo("new");
        assertThat(loads).hasValue(1);
    }

    @Test
    void failureOverAFreshValueLeavesItToAll() {
        client().set(key, "old", Duration.ofMinutes(1));
        LoadOptions early = patient.withRecacheBelow(Duration.ofMinutes(2));
        assertThatFails(early);
        assertThat(client().getOrLoad(key, HOUR, quick("new"), early)).isEqualTo("old");
        assertThat(loads).hasValue(0);
    }

    private void assertThatFails(LoadOptions options) {
        ValueLoader<String, String> failing = k -> {
            throw failure();
        };
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> client().getOrLoad(key, HOUR, failing, options))
                .withMessage("the source is down");
    }

    @Test
    void winnerReplacesAnUndecodableValue() {
        MemcachedClient<Long> numbers = client().withTranscoder(Transcoder.counter());
        client().set(key, "no number", HOUR);
        meta().delete(DeleteRequest.of(key).invalidate());
        assertThat(numbers.getOrLoad(key, HOUR, k -> 1L, patient)).isEqualTo(1);
        assertThat(numbers.get(key)).isEqualTo(1);

        client().set(key, "no number", Duration.ofMinutes(1));
        LoadOptions early = patient.withRecacheBelow(Duration.ofMinutes(2));
        assertThat(numbers.getOrLoad(key, HOUR, k -> 2L, early)).isEqualTo(2);
        assertThat(numbers.get(key)).isEqualTo(2);
    }

    @Test
    void undecodableValueFailsCallersWithoutTheClaim() {
        MemcachedClient<Long> numbers = client().withTranscoder(Transcoder.counter());
        client().set(key, "no number", HOUR);
        assertThatCannotBeDecoded(numbers, patient);
        meta().delete(DeleteRequest.of(key).invalidate());
        assertThat(meta().get(GetRequest.of(key).returning(ItemField.CAS)).isWon())
                .isTrue();
        assertThatCannotBeDecoded(numbers, patient);
        assertThatExceptionOfType(MemcachedTimeoutException.class)
                .as("waits for the new value, since it has no use for the old one")
                .isThrownBy(() -> numbers.getOrLoad(key, HOUR, k -> 1L, impatient.withServesStale(false)));
    }

    private void assertThatCannotBeDecoded(MemcachedClient<Long> numbers, LoadOptions options) {
        assertThatExceptionOfType(MemcachedDecodingException.class)
                .isThrownBy(() -> numbers.getOrLoad(key, HOUR, k -> 1L, options))
                .satisfies(e -> assertThat(e.getCause()).hasMessage("java.lang.NumberFormatException"))
                .satisfies(e -> {
                    assertThat(e.key()).isEqualTo(key);
                    assertThat(e.context()).isNotNull();
                });
    }

    @Test
    void valueThatCannotBeStoredIsAFailure() {
        String tooLarge = "x".repeat(2 * 1024 * 1024);
        assertThatExceptionOfType(MemcachedValueTooLargeException.class)
                .isThrownBy(() -> client().withFailurePolicy(FailurePolicy.TREAT_AS_MISS)
                        .getOrLoad(key, HOUR, quick(tooLarge), patient));
        assertThat(client().getOrLoad(key, HOUR, quick("small"), patient)).isEqualTo("small");
    }

    @Test
    void nullIsNotStoredAndTheNextCallerLoads() {
        assertThat(client().getOrLoad(key, HOUR, quick(null), patient)).isNull();
        assertThat(meta().get(GetRequest.of(key))).isNull();
        assertThat(clients.get(1).getOrLoad(key, HOUR, quick("now there"), patient))
                .isEqualTo("now there");
        meta().delete(DeleteRequest.of(key).invalidate());
        assertThat(client().getOrLoad(key, HOUR, quick(null), patient)).isNull();
        assertThat(meta().get(GetRequest.of(key))).isNull();
        assertThat(loads).hasValue(3);
    }

    @Test
    void callerFailsAfterMaxWaitIfConfigured() throws Exception {
        Future<String> loading = call(clients.get(0), patient, slow("loaded"));
        await(started);
        assertThatExceptionOfType(MemcachedTimeoutException.class)
                .isThrownBy(() -> clients.get(1).getOrLoad(key, HOUR, quick("not called"), impatient))
                .withMessageContaining("another caller has been loading")
                .withMessageContaining("maxWait=PT0.05S");
        finish.countDown();
        assertThat(result(loading)).isEqualTo("loaded");
        assertThat(loads).hasValue(1);
    }

    @Test
    void callerLoadsAfterMaxWaitByDefault() throws Exception {
        Future<String> loading = call(clients.get(0), patient, slow("first"));
        await(started);
        LoadOptions loadsThen = LoadOptions.DEFAULTS.withMaxWait(Duration.ofMillis(50));
        assertThat(clients.get(1).getOrLoad(key, HOUR, quick("second"), loadsThen))
                .isEqualTo("second");
        finish.countDown();
        assertThat(result(loading)).isEqualTo("first");
        assertThat(client().get(key)).isEqualTo("second");
        assertThat(loads).hasValue(2);
    }
}
