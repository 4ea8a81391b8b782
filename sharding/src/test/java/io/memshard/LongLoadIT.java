// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.Protocol;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Loads that take several times as long as a claim lasts, in two processes, played by two clients. */
@Tag("once")
@MemcachedTest
@Timeout(120)
class LongLoadIT {

    private static final int CALLERS = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final LoadOptions BRIEF_CLAIM = LoadOptions.DEFAULTS.withClaimTtl(Duration.ofSeconds(2));

    /** memcached counts whole seconds, and a busy machine may hold a renewal up for one or two. */
    private static final LoadOptions RENEWED_CLAIM = LoadOptions.DEFAULTS.withClaimTtl(Duration.ofSeconds(4));

    /** Several claims of {@link #RENEWED_CLAIM}. */
    private static final Duration LONG = Duration.ofSeconds(9);

    private final MemcachedServer server;
    private final Memshard one;
    private final Memshard two;
    private final MemcachedClient<String> direct;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger loads = new AtomicInteger();
    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch finish = new CountDownLatch(1);

    LongLoadIT(MemcachedServer server) {
        this.server = server;
        one = memshard(server);
        two = memshard(server);
        direct = two.client(Transcoder.utf8());
    }

    private static Memshard memshard(MemcachedServer server) {
        return Memshard.builder()
                .server(server.address())
                .requestTimeout(Duration.ofSeconds(10))
                .connectTimeout(Duration.ofSeconds(10))
                .build();
    }

    @AfterEach
    void close() throws InterruptedException {
        finish.countDown();
        threads.shutdown();
        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        one.close();
        two.close();
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

    /** Until the place of the value was stored anew; its cas unique. */
    private long awaitRenewal() {
        GetRequest cas = GetRequest.of(LoadForm.KEY).returning(ItemField.CAS);
        long first = two.client().meta().get(cas).casUnique();
        eventually("a renewal", () -> two.client().meta().get(cas).casUnique() != first);
        return two.client().meta().get(cas).casUnique();
    }

    @ParameterizedTest
    @EnumSource
    void oneCallerOfTwoProcessesLoadsHoweverLongItTakes(LoadForm form) throws Exception {
        Callable<String> loader = () -> {
            loads.incrementAndGet();
            Thread.sleep(LONG.toMillis()); // The time is what is tested.
            return "loaded once";
        };
        List<Future<String>> calls = new ArrayList<>();
        calls.addAll(call(CALLERS, one, form, Transcoder.utf8(), RENEWED_CLAIM, loader));
        calls.addAll(call(CALLERS, two, form, Transcoder.utf8(), RENEWED_CLAIM, loader));
        for (Future<String> call : calls) {
            assertThat(result(call)).isEqualTo("loaded once");
        }
        assertThat(loads).hasValue(1);
        assertThat(direct.get(LoadForm.KEY)).isEqualTo("loaded once");
        assertThat(direct.meta()
                        .get(GetRequest.of(LoadForm.KEY).returning(ItemField.TTL))
                        .ttl()
                        .orElseThrow())
                .isBetween(LoadForm.TTL.minusMinutes(1), LoadForm.TTL.plusSeconds(1));
    }

    @Test
    void theDefaultsAllowALoadOfSeveralSeconds() throws Exception {
        Callable<String> loader = () -> {
            loads.incrementAndGet();
            Thread.sleep(4_000); // The time is what is tested.
            return "loaded once";
        };
        List<Future<String>> calls = new ArrayList<>();
        calls.addAll(call(CALLERS, one, LoadForm.ONE, Transcoder.utf8(), LoadOptions.DEFAULTS, loader));
        calls.addAll(call(CALLERS, two, LoadForm.ONE, Transcoder.utf8(), LoadOptions.DEFAULTS, loader));
        for (Future<String> call : calls) {
            assertThat(result(call)).isEqualTo("loaded once");
        }
        assertThat(loads).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    void aRenewedPlaceIsNoValue(LoadForm form) throws Exception {
        Future<String> loading = call(one, form, BRIEF_CLAIM, () -> load("loaded"));
        awaitStart();
        awaitRenewal();
        assertThat(direct.get(LoadForm.KEY)).isNull();
        assertThat(direct.multiGet(List.of(LoadForm.KEY, "other")).hits()).isEmpty();
        assertThat(direct.gets(LoadForm.KEY)).isNull();
        assertThat(direct.add(LoadForm.KEY, "added", LoadForm.TTL)).isFalse();
        try (Memshard classic = Memshard.builder()
                .server(server.address())
                .protocol(Protocol.CLASSIC)
                .requestTimeout(Duration.ofSeconds(10))
                .build()) {
            assertThat(classic.client().get(LoadForm.KEY)).isNull();
            assertThat(classic.client().multiGet(List.of(LoadForm.KEY, "other")).hits())
                    .isEmpty();
        }
        finish.countDown();
        assertThat(result(loading)).isEqualTo("loaded");
        assertThat(direct.get(LoadForm.KEY)).isEqualTo("loaded");
    }

    @ParameterizedTest
    @EnumSource
    void aRenewalChangesNothingThatOthersStoredOrDeleted(LoadForm form) throws Exception {
        Future<String> loading = call(one, form, BRIEF_CLAIM, () -> load("old"));
        awaitStart();
        awaitRenewal();
        assertThat(direct.delete(LoadForm.KEY)).isTrue();
        Thread.sleep(2_000); // Renewals are due meanwhile.
        assertThat(direct.meta().get(GetRequest.of(LoadForm.KEY))).isNull();
        direct.set(LoadForm.KEY, "new", LoadForm.TTL);
        Thread.sleep(2_000); // The others ask meanwhile.
        finish.countDown();
        assertThat(result(loading)).isEqualTo("old");
        assertThat(direct.get(LoadForm.KEY)).isEqualTo("new");
        assertThat(direct.meta()
                        .get(GetRequest.of(LoadForm.KEY).returning(ItemField.TTL))
                        .ttl()
                        .orElseThrow())
                .isGreaterThan(LoadForm.TTL.minusMinutes(1));
    }

    @Test
    void whoComesAfterADeleteSharesNoOlderLoad() throws Exception {
        Future<String> older = call(one, LoadForm.ONE, BRIEF_CLAIM, () -> load("old"));
        awaitStart();
        direct.delete(LoadForm.KEY);
        assertThat(result(call(one, LoadForm.ONE, BRIEF_CLAIM, () -> "new"))).isEqualTo("new");
        finish.countDown();
        assertThat(result(older)).isEqualTo("old");
        assertThat(direct.get(LoadForm.KEY)).isEqualTo("new");
    }

    @ParameterizedTest
    @EnumSource
    void whoDiesWhileLoadingIsReplacedSoon(LoadForm form) throws Exception {
        Future<String> dying = call(one, form, BRIEF_CLAIM, () -> load("never stored"));
        awaitStart();
        awaitRenewal();
        one.close();
        long startNanos = System.nanoTime();
        assertThat(result(call(two, form, BRIEF_CLAIM, () -> "of the other process")))
                .isEqualTo("of the other process");
        assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isLessThan(Duration.ofSeconds(15));
        finish.countDown();
        assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> result(dying));
        assertThat(direct.get(LoadForm.KEY)).isEqualTo("of the other process");
    }

    @ParameterizedTest
    @EnumSource
    void whoLoadsForTooLongIsReplaced(LoadForm form) throws Exception {
        LoadOptions limited = BRIEF_CLAIM.withMaxLoad(Duration.ofSeconds(1));
        Future<String> hanging = call(one, form, limited, () -> load("late"));
        awaitStart();
        assertThat(result(call(two, form, limited, () -> "in time"))).isEqualTo("in time");
        finish.countDown();
        assertThat(result(hanging)).isEqualTo("late");
        assertThat(direct.get(LoadForm.KEY)).isEqualTo("in time");
    }

    @ParameterizedTest
    @EnumSource
    void callersOfAProcessShareALoadForLongerThanTheyWaitForOthers(LoadForm form) throws Exception {
        LoadOptions brief = LoadOptions.DEFAULTS.withMaxWait(Duration.ofSeconds(1));
        List<Future<String>> calls = call(2 * CALLERS, one, form, Transcoder.utf8(), brief, () -> {
            loads.incrementAndGet();
            Thread.sleep(3_000); // The time is what is tested.
            return "loaded once";
        });
        for (Future<String> call : calls) {
            assertThat(result(call)).isEqualTo("loaded once");
        }
        assertThat(loads).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    void whoSharesALoadFailsAfterItsWaitIfToldTo(LoadForm form) throws Exception {
        Future<String> loading = call(one, form, LoadOptions.DEFAULTS, () -> load("in the end"));
        awaitStart();
        LoadOptions brief =
                LoadOptions.DEFAULTS.withMaxWait(Duration.ofSeconds(1)).withFailsAfterWait(true);
        Future<String> sharing = call(one, form, brief, () -> load("by the other"));

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> result(sharing))
                .withRootCauseInstanceOf(MemcachedTimeoutException.class);
        finish.countDown();
        assertThat(result(loading)).isEqualTo("in the end");
        assertThat(loads).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    void oneOfThoseWhoSharedALoadThatFailsLoadsAnew(LoadForm form) throws Exception {
        LoadOptions brief = LoadOptions.DEFAULTS.withMaxWait(Duration.ofSeconds(1));
        List<Future<String>> calls = call(2 * CALLERS, one, form, Transcoder.utf8(), brief, () -> {
            int number = loads.incrementAndGet();
            Thread.sleep(2_000); // The time is what is tested.
            if (number == 1) {
                throw new IllegalStateException("the first load fails");
            }
            return "loaded by the second";
        });
        int failed = 0;
        for (Future<String> call : calls) {
            try {
                assertThat(result(call)).isEqualTo("loaded by the second");
            } catch (ExecutionException e) {
                failed++;
            }
        }
        assertThat(failed).isEqualTo(1);
        assertThat(loads).hasValue(2);
    }

    @ParameterizedTest
    @EnumSource
    void whoSharesALoadThatHangsIsServedByAnotherAfterMaxLoad(LoadForm form) throws Exception {
        LoadOptions limited = BRIEF_CLAIM.withMaxLoad(Duration.ofSeconds(1)).withMaxWait(Duration.ofMillis(100));
        List<Future<String>> calls = call(CALLERS, one, form, Transcoder.utf8(), limited, () -> {
            if (loads.incrementAndGet() == 1) {
                assertThat(finish.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
                return "late";
            }
            return "in time";
        });
        eventually(
                "all but the one that hangs",
                () -> calls.stream().filter(Future::isDone).count() == CALLERS - 1);
        assertThat(loads).hasValue(2);
        finish.countDown();
        List<String> values = new ArrayList<>();
        for (Future<String> call : calls) {
            values.add(result(call));
        }
        assertThat(values).containsOnlyOnce("late");
        assertThat(direct.get(LoadForm.KEY)).isEqualTo("in time");
    }

    @ParameterizedTest
    @EnumSource
    void eachCallerOfAProcessGetsAValueOfItsOwn(LoadForm form) throws Exception {
        List<Future<byte[]>> calls = call(
                CALLERS,
                one,
                form,
                Transcoder.bytes(),
                BRIEF_CLAIM,
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
            Callable<String> loader = () -> load("loaded");
            List<Future<String>> calls = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                calls.add(threads.submit(() ->
                        form.load(memshard, Transcoder.utf8(), FailurePolicy.TREAT_AS_MISS, BRIEF_CLAIM, loader)));
            }
            awaitStart();
            // Each of the others has found the load, because it asks at least four times a second.
            Thread.sleep(1_500); // The others ask meanwhile.
            dying.close();
            Thread.sleep(1_500); // The others ask meanwhile.
            finish.countDown();
            for (Future<String> call : calls) {
                assertThat(result(call)).isEqualTo("loaded");
            }
            assertThat(loads).hasValue(1);
        }
    }

    @Test
    void aWaiterThatGivesUpLeavesTheLoadGoingOn() throws Exception {
        Future<String> loading = call(one, LoadForm.ONE, BRIEF_CLAIM, () -> load("loaded"));
        awaitStart();
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread waiter = new Thread(() -> {
            try {
                LoadForm.ONE.load(one, Transcoder.utf8(), FailurePolicy.FAIL_FAST, BRIEF_CLAIM, () -> "second");
            } catch (Throwable e) {
                thrown.complete(e);
            }
        });
        waiter.start();
        eventually("a wait", () -> waiter.getState() == Thread.State.TIMED_WAITING);
        waiter.interrupt();
        assertThat(thrown.get(10, TimeUnit.SECONDS)).isInstanceOf(MemcachedInterruptedException.class);
        finish.countDown();
        assertThat(result(loading)).isEqualTo("loaded");
        assertThat(direct.get(LoadForm.KEY)).isEqualTo("loaded");
        assertThat(loads).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"ONE", "MANY"})
    void aLoaderThatAsksForItsOwnKeyLoads(LoadForm form) throws Exception {
        Future<String> call = call(
                one,
                form,
                LoadOptions.DEFAULTS,
                () -> "outer, "
                        + form.load(
                                one, Transcoder.utf8(), FailurePolicy.FAIL_FAST, LoadOptions.DEFAULTS, () -> "inner"));
        assertThat(call.get(10, TimeUnit.SECONDS)).isEqualTo("outer, inner");
        assertThat(direct.get(LoadForm.KEY)).isEqualTo("inner");
    }

    @Test
    void whereNothingIsToLoadAllWhoWaitedLearnIt() throws Exception {
        List<Future<String>> calls = call(CALLERS, one, LoadForm.ONE, Transcoder.utf8(), BRIEF_CLAIM, () -> {
            load("");
            return null;
        });
        awaitStart();
        Thread.sleep(1_500); // The others have found the load.
        finish.countDown();
        for (Future<String> call : calls) {
            assertThat(result(call)).isNull();
        }
        assertThat(loads).hasValue(1);
        assertThat(direct.meta().get(GetRequest.of(LoadForm.KEY))).isNull();
    }
}
