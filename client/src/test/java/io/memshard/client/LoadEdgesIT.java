// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import static io.memshard.client.PatientOptions.LONG;
import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.connection.TimerlessSender;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.load.ValueLoader;
import io.memshard.client.load.ValueLoaderException;
import io.memshard.client.meta.DeleteRequest;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.Command;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.SendMode;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import io.memshard.testkit.fault.FaultProxy;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What only a blocking or only an asynchronous caller of getOrLoad can do wrong. */
@Timeout(120)
class LoadEdgesIT {

    private static final Duration HOUR = Duration.ofHours(1);

    /** The server's, so that no claim ends by itself. */
    private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);

    private LeakCheck leaks;
    private EmbeddedMemcached server;
    private ConnectionGroup group;
    private Connection connection;
    private MemcachedClient<String> blocking;
    private AsyncMemcachedClient<String> async;

    @BeforeEach
    void connect() {
        leaks = LeakCheck.start("");
        server = EmbeddedMemcached.builder().clock(() -> NOW).start();
        group = new ConnectionGroup(PatientOptions.create(), 1);
        connection = group.newConnection(new ServerAddress(server.host(), server.port()), 0, Transport.CALLER_DRIVEN);
        blocking = Clients.blocking(connection, Transcoder.utf8(), 1000, LONG);
        async = Clients.blocking(connection, Transcoder.utf8(), 1000, LONG).async();
    }

    @AfterEach
    void close() {
        group.close();
        server.close();
    }

    private Throwable failure(Function<String, ? extends CompletionStage<String>> loader) {
        CompletableFuture<String> future = async.getOrLoad("k", HOUR, loader);
        try {
            throw new AssertionError(future.get(60, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            nobodyHoldsTheClaim();
            return e.getCause();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void nobodyHoldsTheClaim() {
        assertThat(blocking.meta().get(GetRequest.of("k"))).isNull();
    }

    @Test
    void failureOfTheLoaderOrItsStageFailsTheFuture() {
        IllegalStateException thrown = new IllegalStateException("no stage");
        IOException failed = new IOException("the source is down");
        assertThat(failure(k -> {
                    throw thrown;
                }))
                .isSameAs(thrown);
        assertThat(failure(k -> null)).isInstanceOf(NullPointerException.class);
        assertThat(failure(k -> CompletableFuture.failedFuture(failed))).isSameAs(failed);
        assertThat(failure(k -> CompletableFuture.failedFuture(new CompletionException(failed))))
                .isSameAs(failed);
    }

    @Test
    void futuresOfFailedLoadsFailWithTheExceptionItself() {
        IllegalStateException thrown = new IllegalStateException("no source");
        assertThat(async.getOrLoad("k", HOUR, key -> CompletableFuture.failedFuture(thrown))
                        .handle((value, failure) -> failure)
                        .join())
                .isSameAs(thrown);
        assertThat(async.multiGetOrLoad(List.of("k", "l"), HOUR, keys -> CompletableFuture.failedFuture(thrown))
                        .handle((values, failure) -> failure)
                        .join())
                .isSameAs(thrown);
        nobodyHoldsTheClaim();
    }

    @Test
    void loaderThatIsInterruptedAndReturnsHasItsValueStored() {
        assertThat(blocking.getOrLoad("k", HOUR, k -> {
                    Thread.currentThread().interrupt();
                    return "loaded";
                }))
                .isEqualTo("loaded");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(blocking.get("k")).isEqualTo("loaded");
        blocking.meta().delete(DeleteRequest.of("k").invalidate());
        assertThat(blocking.getOrLoad("k", HOUR, k -> {
                    Thread.currentThread().interrupt();
                    return null;
                }))
                .isNull();
        assertThat(Thread.interrupted()).isTrue();
        nobodyHoldsTheClaim();
    }

    @Test
    void claimThatNeverEndsNeedsNoRenewal() {
        LoadOptions endless = LoadOptions.DEFAULTS.withClaimTtl(TimeToLive.NEVER);
        assertThat(blocking.getOrLoad("k", HOUR, k -> "loaded", endless)).isEqualTo("loaded");
        assertThat(blocking.get("k")).isEqualTo("loaded");
    }

    private AbstractThrowableAssert<?, ?> failure(boolean interrupts, ValueLoader<String, String> loader) {
        Throwable failure = catchThrowable(() -> blocking.getOrLoad("k", HOUR, loader));
        assertThat(Thread.interrupted()).isEqualTo(interrupts);
        nobodyHoldsTheClaim();
        return assertThat(failure).hasNoSuppressedExceptions();
    }

    @Test
    void failureOfABlockingLoaderIsThrownOnTheStackOfItsCaller() {
        StackTraceElement[] stack = new Throwable().getStackTrace();
        IllegalStateException thrown = new IllegalStateException("the source is down");
        failure(false, k -> {
                    thrown.setStackTrace(new Throwable().getStackTrace());
                    throw thrown;
                })
                .isSameAs(thrown);
        assertThat(thrown.getStackTrace()).endsWith(Arrays.copyOfRange(stack, 1, stack.length));
        failure(true, k -> {
                    Thread.currentThread().interrupt();
                    throw thrown;
                })
                .isSameAs(thrown);
        AssertionError error = new AssertionError("in the loader");
        failure(false, k -> {
                    throw error;
                })
                .isSameAs(error);
    }

    @Test
    void checkedExceptionOfABlockingLoaderIsTheCause() {
        IOException checked = new IOException("the source is down");
        failure(false, k -> {
                    throw checked;
                })
                .isExactlyInstanceOf(ValueLoaderException.class)
                .hasMessage("the loader of \"k\" failed: java.io.IOException: the source is down")
                .hasCause(checked);
        failure(true, k -> {
                    throw new InterruptedException();
                })
                .isExactlyInstanceOf(ValueLoaderException.class)
                .hasCauseExactlyInstanceOf(InterruptedException.class);
    }

    @Test
    void failureToReleaseTheClaimIsSuppressed() {
        RuntimeException second = new UnsupportedOperationException("no md");
        CommandSender withoutDelete = new TimerlessSender() {
            @Override
            public <T> Reply<T> send(Command<T> command, SendMode mode) {
                if (command.verb().equals("md")) {
                    throw second;
                }
                return connection.send(command, mode);
            }
        };
        IllegalStateException thrown = new IllegalStateException("the source is down");
        assertThatThrownBy(() -> Clients.blocking(withoutDelete, Transcoder.utf8(), 1000, LONG)
                        .getOrLoad("a", HOUR, k -> {
                            throw thrown;
                        }))
                .isSameAs(thrown)
                .hasSuppressedException(second);
    }

    @Test
    void readOfCasUniquesReleasesItsClaimToo() {
        List<String> keys = List.of("a", "b", "c");
        keys.forEach(key -> blocking.set(key, "old", HOUR));
        keys.forEach(key -> blocking.invalidate(key, HOUR));
        blocking.gets("a");
        blocking.multiGets(List.of("b", "c"));
        for (String key : keys) {
            eventually("given back", () -> "new".equals(blocking.getOrLoad(key, HOUR, k -> "new")));
        }
    }

    @NeedsProgram(Program.MEMCACHED)
    @Test
    void memcachedWithoutCasServesItemsAndRefusesLoads() {
        try (MemcachedProcess process = MemcachedProcess.start("-C")) {
            Connection toIt =
                    group.newConnection(new ServerAddress(process.host(), process.port()), 1, Transport.CALLER_DRIVEN);
            MemcachedClient<String> client = Clients.blocking(toIt, Transcoder.utf8(), 1000, LONG);
            client.set("there", "value", HOUR);
            assertThat(client.getOrLoad("there", HOUR, k -> "not called")).isEqualTo("value");
            CasValue<String> read = client.gets("there");
            assertThat(read.casUnique()).isZero();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> client.cas("there", "new", read.casUnique(), HOUR))
                    .withMessageContaining("memcached -C");
            assertThatExceptionOfType(MemcachedUnsupportedException.class)
                    .isThrownBy(() -> client.getOrLoad("missing", HOUR, k -> {
                        throw new AssertionError("loads");
                    }))
                    .withMessageContaining("memcached -C");
        }
    }

    @Test
    void cancelledCallThatGetsTheClaimStillStoresTheValue() throws IOException {
        try (FaultProxy proxy = new FaultProxy(server.address())) {
            Connection slow = group.newConnection(
                    new ServerAddress(
                            proxy.address().getHostString(), proxy.address().getPort()),
                    0,
                    Transport.CALLER_DRIVEN);
            AsyncMemcachedClient<String> client =
                    Clients.blocking(slow, Transcoder.utf8(), 1000, LONG).async();
            assertThat(client.get("k").join()).isNull();
            proxy.stall(true);
            client.getOrLoad("k", HOUR, k -> CompletableFuture.completedFuture("loaded"))
                    .cancel(false);
            proxy.stall(false);
            eventually("the value is stored", () -> "loaded".equals(blocking.get("k")));
        }
    }

    @Test
    void sharedValueThatCannotBeDecodedFailsOnlyItsKey() {
        CompletableFuture<String> loading = new CompletableFuture<>();
        CompletableFuture<String> first = async.getOrLoad("a", HOUR, k -> loading);
        eventually("a claim", () -> blocking.meta().get(GetRequest.of("a")) != null);
        CompletableFuture<MultiGetResult<String>> many = async.withTranscoder(new Transcoder<String>() {
                    @Override
                    public EncodedValue encode(String value) {
                        return Transcoder.utf8().encode(value);
                    }

                    @Override
                    public String decode(byte[] data, int flags) {
                        throw new IllegalStateException("not decodable");
                    }
                })
                .multiGetOrLoad(List.of("b", "a"), HOUR, keys -> CompletableFuture.completedFuture(Map.of("b", "1")));
        eventually("the other key is stored", () -> "1".equals(blocking.get("b")));
        loading.complete("2");

        assertThat(first.join()).isEqualTo("2");
        assertThat(many.join().hits()).isEqualTo(Map.of("b", "1"));
        assertThat(many.join().failures()).containsOnlyKeys("a");
    }

    @Test
    void interruptEndsTheWaitOfABlockingCaller() {
        blocking.meta().get(GetRequest.of("k").vivify(HOUR));
        Thread.currentThread().interrupt();
        // The command itself is interrupted or, if its reply is there at once, the pause behind it.
        assertThatExceptionOfType(MemcachedInterruptedException.class)
                .isThrownBy(() -> blocking.getOrLoad("k", HOUR, k -> "not called"));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(blocking.get("k")).isNull();
    }

    @Test
    void interruptedLoaderOfManyReleasesItsClaims() {
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(MemcachedInterruptedException.class)
                .isThrownBy(() -> blocking.multiGetOrLoad(List.of("a"), HOUR, keys -> Map.of("a", "not kept")));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(blocking.getOrLoad("a", HOUR, key -> "loaded")).isEqualTo("loaded");
    }

    /** Counts the times that somebody asks again. */
    private class Counted implements CommandSender {

        private final AtomicInteger sent = new AtomicInteger();

        @Override
        public <T> Reply<T> send(Command<T> command, SendMode mode) {
            sent.incrementAndGet();
            return connection.send(command, mode);
        }

        @Override
        public CompletableFuture<@Nullable Void> pause(long nanos) {
            return connection.pause(nanos);
        }
    }

    private List<CompletableFuture<String>> waiting(CommandSender sender, int calls) {
        blocking.meta().get(GetRequest.of("k").vivify(HOUR));
        AsyncMemcachedClient<String> client =
                Clients.blocking(sender, Transcoder.utf8(), 1000, LONG).async();
        return IntStream.range(0, calls)
                .mapToObj(i -> client.getOrLoad("k", HOUR, k -> CompletableFuture.completedFuture("not called")))
                .toList();
    }

    @Test
    void asynchronousCallersMayAskThousandsOfTimes() {
        Counted hurried = new Counted() {
            @Override
            public CompletableFuture<@Nullable Void> pause(long nanos) {
                return connection.pause(1);
            }
        };
        CompletableFuture<String> one = waiting(hurried, 1).get(0);
        CompletableFuture<MultiGetResult<String>> many = Clients.blocking(hurried, Transcoder.utf8(), 1000, LONG)
                .async()
                .multiGetOrLoad(List.of("k"), HOUR, keys -> CompletableFuture.completedFuture(Map.of()));
        eventually("they have asked again", () -> hurried.sent.get() > 4_000);

        blocking.set("k", "value", HOUR);
        assertThat(one).succeedsWithin(LONG).isEqualTo("value");
        assertThat(many).succeedsWithin(LONG);
        assertThat(many.join().hits()).isEqualTo(Map.of("k", "value"));
    }

    @Test
    void manyAsynchronousCallersWaitWithoutThreadsOfTheirOwn() {
        Counted counted = new Counted();
        List<CompletableFuture<String>> calls = waiting(counted, 300);
        eventually("they have asked again", () -> counted.sent.get() > 900);

        assertThat(leaks.threadsSince()).hasSizeLessThan(30);
        blocking.set("k", "value", HOUR);
        assertThat(calls)
                .allSatisfy(call -> assertThat(call).succeedsWithin(LONG).isEqualTo("value"));
    }

    @Test
    void asynchronousCallersThatWaitFailWhenTheClientIsClosed() {
        List<CompletableFuture<String>> calls = waiting(connection, 50);
        group.close();
        assertThat(calls)
                .allSatisfy(call -> assertThat(call)
                        .failsWithin(LONG)
                        .withThrowableOfType(ExecutionException.class)
                        .withCauseInstanceOf(MemcachedConnectionException.class));
        assertThat(async.getOrLoad("k", HOUR, k -> CompletableFuture.completedFuture("")))
                .failsWithin(LONG);
    }
}
