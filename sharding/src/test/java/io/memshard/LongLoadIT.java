// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.MemcachedServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Loads that outlast their claims, in two processes, played by two clients. The test moves the server's clock. */
@Timeout(300)
class LongLoadIT {

    /** The four ways to get or load a value. The calling thread waits for the value. */
    enum LoadForm {
        ONE,
        MANY,
        ONE_ASYNCHRONOUS,
        MANY_ASYNCHRONOUS;

        static final String KEY = "key";
        static final Duration TTL = Duration.ofHours(1);

        private static final List<String> KEYS = List.of(KEY);

        <V> V load(
                Memshard memshard,
                Transcoder<V> transcoder,
                FailurePolicy policy,
                LoadOptions options,
                Callable<V> loader) {
            MemcachedClient<V> client = memshard.client(transcoder).withFailurePolicy(policy);
            AsyncMemcachedClient<V> async = memshard.asyncClient(transcoder).withFailurePolicy(policy);
            return switch (this) {
                case ONE -> client.getOrLoad(KEY, TTL, key -> loader.call(), options);
                case MANY ->
                    client.multiGetOrLoad(KEYS, TTL, keys -> Map.of(KEY, called(loader)), options)
                            .hitsOrThrow()
                            .get(KEY);
                case ONE_ASYNCHRONOUS ->
                    async.getOrLoad(KEY, TTL, key -> supplied(loader), options).join();
                case MANY_ASYNCHRONOUS ->
                    async.multiGetOrLoad(
                                    KEYS, TTL, keys -> supplied(loader).thenApply(value -> Map.of(KEY, value)), options)
                            .join()
                            .hitsOrThrow()
                            .get(KEY);
            };
        }

        private static <V> V called(Callable<V> loader) {
            try {
                return loader.call();
            } catch (Exception e) {
                throw new CompletionException(e);
            }
        }

        /** On a thread of its own: many loads may block at once. */
        private static <V> CompletableFuture<V> supplied(Callable<V> loader) {
            return CompletableFuture.supplyAsync(() -> called(loader), task -> new Thread(task).start());
        }
    }

    private static final int CALLERS = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(100);

    /** Renewed every 33 ms, and stored for 1 s of the server's clock. */
    private static final LoadOptions BRIEF_CLAIM = LoadOptions.DEFAULTS.withClaimTtl(Duration.ofMillis(100));

    /** Renewed every 334 ms, and stored for 2 s of the server's clock. */
    private static final LoadOptions CLAIM_OF_TWO_SECONDS = LoadOptions.DEFAULTS.withClaimTtl(Duration.ofMillis(1_001));

    /** Never renewed: who reads just when a placeholder changes may take it for that of another process. */
    private static final LoadOptions LASTING_CLAIM = LoadOptions.DEFAULTS.withClaimTtl(Duration.ofHours(1));

    private final AtomicLong second = new AtomicLong(1_000_000_000);
    private final EmbeddedMemcached server = EmbeddedMemcached.builder()
            .clock(() -> Instant.ofEpochSecond(second.get()))
            .start();
    private final Memshard one = memshard(server);
    private final Memshard two = memshard(server);
    private final MemcachedClient<String> direct = two.client(Transcoder.utf8());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger loads = new AtomicInteger();
    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch finish = new CountDownLatch(1);

    private static Memshard memshard(MemcachedServer server) {
        return Fleet.patient().servers(server.address()).build();
    }

    @AfterEach
    void close() throws InterruptedException {
        finish.countDown();
        threads.shutdown();
        assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        one.close();
        two.close();
        server.close();
    }

    private <V> List<Future<V>> call(
            int callers,
            Memshard memshard,
            LoadForm form,
            Transcoder<V> transcoder,
            LoadOptions options,
            Callable<V> loader) {
        List<Future<V>> calls = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            calls.add(threads.submit(() -> form.load(memshard, transcoder, FailurePolicy.FAIL_FAST, options, loader)));
        }
        return calls;
    }

    private Future<String> call(Memshard memshard, LoadForm form, LoadOptions options, Callable<String> loader) {
        return call(1, memshard, form, Transcoder.utf8(), options, loader).get(0);
    }

    private static <V> V result(Future<V> call) throws Exception {
        return call.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private String load(String value) throws InterruptedException {
        loads.incrementAndGet();
        started.countDown();
        assertThat(finish.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return value;
    }

    private void awaitStart() throws InterruptedException {
        assertThat(started.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    /** Waits until the placeholder was stored anew. */
    private void awaitRenewal() {
        GetRequest cas = GetRequest.of(LoadForm.KEY).returning(ItemField.CAS);
        long first = direct.meta().get(cas).casUnique();
        eventually("a renewal", () -> direct.meta().get(cas).casUnique() != first);
    }

    /** Lets the placeholder expire, whether or not the last renewal is still under way. */
    private void expire() {
        eventually("no placeholder", () -> {
            second.incrementAndGet();
            return direct.meta().get(GetRequest.of(LoadForm.KEY)) == null;
        });
    }

    private static Map<String, String> stats(Memshard memshard) {
        return memshard.admin().stats().single();
    }

    private static long hits(Memshard memshard) {
        return Long.parseLong(stats(memshard).get("get_hits"));
    }

    /** Waits until somebody has found the placeholder, and has asked again. */
    private static void awaitSharing(Memshard memshard, long hitsBefore) {
        eventually("a caller waits", () -> hits(memshard) >= hitsBefore + 2);
    }

    @ParameterizedTest
    @EnumSource
    void oneCallerOfTwoProcessesLoadsHoweverLongItTakes(LoadForm form) throws Exception {
        Callable<String> loader = () -> load("loaded once");
        List<Future<String>> calls = new ArrayList<>();
        calls.addAll(call(CALLERS, one, form, Transcoder.utf8(), CLAIM_OF_TWO_SECONDS, loader));
        calls.addAll(call(CALLERS, two, form, Transcoder.utf8(), CLAIM_OF_TWO_SECONDS, loader));
        awaitStart();
        for (int renewal = 0; renewal < 2; renewal++) {
            awaitRenewal();
            second.incrementAndGet();
        }
        assertThat(direct.meta().get(GetRequest.of(LoadForm.KEY)))
                .as("the placeholder after its first lifetime")
                .isNotNull();
        finish.countDown();
        for (Future<String> call : calls) {
            assertThat(result(call)).isEqualTo("loaded once");
        }
        assertThat(loads).hasValue(1);
        assertThat(direct.get(LoadForm.KEY)).isEqualTo("loaded once");
        assertThat(direct.meta()
                        .get(GetRequest.of(LoadForm.KEY).returning(ItemField.TTL))
                        .ttl())
                .contains(LoadForm.TTL);
    }

    @ParameterizedTest
    @EnumSource
    void aRenewalChangesNothingThatOthersStoredOrDeleted(LoadForm form) throws Exception {
        Future<String> loading = call(one, form, BRIEF_CLAIM, () -> load("old"));
        awaitStart();
        awaitRenewal();
        assertThat(direct.delete(LoadForm.KEY)).isTrue();
        eventually("a renewal", () -> !stats(two).get("cas_misses").equals("0"));
        assertThat(direct.meta().get(GetRequest.of(LoadForm.KEY))).isNull();
        direct.set(LoadForm.KEY, "new", LoadForm.TTL);
        finish.countDown();
        assertThat(result(loading)).isEqualTo("old");
        assertThat(direct.get(LoadForm.KEY)).isEqualTo("new");
        assertThat(direct.meta()
                        .get(GetRequest.of(LoadForm.KEY).returning(ItemField.TTL))
                        .ttl())
                .contains(LoadForm.TTL);
    }

    @Test
    void callerAfterADeleteSharesNoOlderLoad() throws Exception {
        Future<String> older = call(one, LoadForm.ONE, LASTING_CLAIM, () -> load("old"));
        awaitStart();
        direct.delete(LoadForm.KEY);
        assertThat(result(call(one, LoadForm.ONE, LASTING_CLAIM, () -> "new"))).isEqualTo("new");
        finish.countDown();
        assertThat(result(older)).isEqualTo("old");
        assertThat(direct.get(LoadForm.KEY)).isEqualTo("new");
    }

    @ParameterizedTest
    @EnumSource
    void deadLoaderIsReplacedWhenItsClaimExpires(LoadForm form) throws Exception {
        Future<String> dying = call(one, form, BRIEF_CLAIM, () -> load("never stored"));
        awaitStart();
        one.close();
        expire();
        LoadOptions failing = BRIEF_CLAIM.withFailsAfterWait(true);
        assertThat(result(call(two, form, failing, () -> "of the other process")))
                .isEqualTo("of the other process");
        finish.countDown();
        assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> result(dying));
        assertThat(direct.get(LoadForm.KEY)).isEqualTo("of the other process");
    }

    @ParameterizedTest
    @EnumSource
    void callersOfAHangingLoadAreServedByAnotherAfterMaxLoad(LoadForm form) throws Exception {
        LoadOptions limited = BRIEF_CLAIM.withMaxLoad(Duration.ofMillis(1));
        Future<String> hanging = call(one, form, limited, () -> load("late"));
        awaitStart();
        List<Future<String>> calls = new ArrayList<>();
        Callable<String> loader = () -> {
            loads.incrementAndGet();
            return "in time";
        };
        calls.addAll(call(CALLERS, one, form, Transcoder.utf8(), limited, loader));
        calls.addAll(call(CALLERS, two, form, Transcoder.utf8(), limited, loader));
        // Once, because no renewal follows: more would let the claim of the second load expire too.
        second.incrementAndGet();
        for (Future<String> call : calls) {
            assertThat(result(call)).isEqualTo("in time");
        }
        assertThat(loads).hasValue(2);
        finish.countDown();
        assertThat(result(hanging)).isEqualTo("late");
        assertThat(direct.get(LoadForm.KEY)).isEqualTo("in time");
    }

    /** The second load begins when all have waited for longer than they wait for other processes. */
    @ParameterizedTest
    @EnumSource(names = {"ONE", "MANY_ASYNCHRONOUS"})
    void oneCallerThatSharedAFailedLoadLoadsAgain(LoadForm form) throws Exception {
        // The others must meet the second load within this time of its claim, which is a matter of microseconds.
        LoadOptions brief = LASTING_CLAIM.withMaxWait(Duration.ofMillis(1_500));
        Future<String> failing = call(one, form, brief, () -> {
            load("");
            throw new IllegalStateException("the first load fails");
        });
        awaitStart();
        List<Future<String>> sharing = call(CALLERS, one, form, Transcoder.utf8(), brief, () -> {
            loads.incrementAndGet();
            return "loaded by the second";
        });
        Thread.sleep(1_550); // Longer than the wait for other processes, which a sharer outlasts.
        assertThat(loads).hasValue(1);
        finish.countDown();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> result(failing))
                .withRootCauseInstanceOf(IllegalStateException.class);
        for (Future<String> call : sharing) {
            assertThat(result(call)).isEqualTo("loaded by the second");
        }
        assertThat(loads).hasValue(2);
    }

    @ParameterizedTest
    @EnumSource
    void eachCallerOfAProcessGetsAValueOfItsOwn(LoadForm form) throws Exception {
        List<Future<byte[]>> calls = call(
                CALLERS,
                one,
                form,
                Transcoder.bytes(),
                LASTING_CLAIM,
                () -> load("loaded").getBytes(StandardCharsets.UTF_8));
        awaitStart();
        finish.countDown();
        List<byte[]> values = new ArrayList<>();
        for (Future<byte[]> call : calls) {
            values.add(result(call));
        }
        assertThat(loads).hasValue(1);
        values.forEach(value -> Arrays.fill(value, (byte) 'x'));
        assertThat(values.stream().map(System::identityHashCode).distinct()).hasSize(CALLERS);
        assertThat(direct.get(LoadForm.KEY)).isEqualTo("loaded");
    }

    @ParameterizedTest
    @EnumSource
    void callersOfAProcessShareALoadThatOutlivesTheServer(LoadForm form) throws Exception {
        EmbeddedMemcached dying = EmbeddedMemcached.start();
        try (Memshard memshard = memshard(dying)) {
            Callable<String> call = () -> form.load(
                    memshard, Transcoder.utf8(), FailurePolicy.TREAT_AS_MISS, LASTING_CLAIM, () -> load("loaded"));
            Future<String> loading = threads.submit(call);
            awaitStart();
            long before = hits(memshard);
            Future<String> sharing = threads.submit(call);
            awaitSharing(memshard, before);
            dying.close();
            eventually(
                    "the client has noticed", () -> !memshard.health(PATIENCE).isUp());
            finish.countDown();
            assertThat(result(loading)).isEqualTo("loaded");
            assertThat(result(sharing)).isEqualTo("loaded");
            assertThat(loads).hasValue(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ONE", "MANY"})
    void aLoaderThatReadsItsOwnKeyLoads(LoadForm form) throws Exception {
        Future<String> call = call(
                one,
                form,
                LoadOptions.DEFAULTS,
                () -> "outer, "
                        + form.load(
                                one, Transcoder.utf8(), FailurePolicy.FAIL_FAST, LoadOptions.DEFAULTS, () -> "inner"));
        assertThat(result(call)).isEqualTo("outer, inner");
        assertThat(direct.get(LoadForm.KEY)).isEqualTo("inner");
    }
}
