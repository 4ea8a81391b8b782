// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.MemcachedClient;
import io.memshard.client.TimeToLive;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.FoundItems;
import io.memshard.client.protocol.MetaMultiGet;
import io.memshard.client.protocol.MetaReply;
import io.memshard.client.protocol.MetaSet;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.client.protocol.wire.RequestBuffer;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection to a server that behaves. */
@MemcachedTest
@EachTransportAndProtocol
@Timeout(120)
class ServerIT extends ConnectionFixture {

    private final MemcachedServer server;

    ServerIT(Transport transport, Protocol protocol, MemcachedServer server) {
        super(transport, protocol);
        this.server = server;
    }

    @Test
    void commandsOfOneThreadAreExecutedInOrder() {
        Connection connection = connect(server);
        List<CompletableFuture<StoreStatus>> stored = new ArrayList<>();
        StringBuilder expected = new StringBuilder();
        stored.add(future(connection, set("order", "")));
        for (int i = 0; i < 100; i++) {
            stored.add(future(connection, store(MetaSet.Mode.APPEND, "order", i + " ")));
            expected.append(i).append(' ');
        }
        CompletableFuture<String> last = future(connection, get("order"));

        assertThat(result(last)).isEqualTo(expected.toString());
        stored.forEach(status -> assertThat(result(status)).isEqualTo(StoreStatus.DONE));
        eventually("none in flight", () -> connection.inFlight() == 0);
    }

    /** What goes out together is cut anywhere, also within a value: no part of it may stay behind. */
    @Test
    void manyValuesOfEverySizeAreStoredAndReadAtOnce() {
        Connection connection = connect(server);
        for (int round = 0; round < 5; round++) {
            int longest = 500 << 2 * round % 8;
            List<Integer> sizes =
                    new Random(round).ints(100, 0, longest).boxed().toList();
            List<CompletableFuture<StoreStatus>> stored = new ArrayList<>();
            List<CompletableFuture<String>> values = new ArrayList<>();
            for (int i = 0; i < sizes.size(); i++) {
                stored.add(future(connection, set("sized" + i, "x".repeat(sizes.get(i)))));
                values.add(future(connection, get("sized" + i)));
            }
            for (int i = 0; i < sizes.size(); i++) {
                assertThat(result(stored.get(i))).isEqualTo(StoreStatus.DONE);
                assertThat(result(values.get(i))).hasSize(sizes.get(i));
            }
        }
    }

    @Test
    void valueThatTheServerRefusesIsATypedErrorAndTheConnectionStays() {
        settings.maxValueBytes(16 * 1024 * 1024);
        Connection connection = connect(server);
        connection.call(set("refused", "old"), LONG_NANOS);
        String tooLarge = "x".repeat(3 * 1024 * 1024);

        assertThatExceptionOfType(MemcachedValueTooLargeException.class)
                .isThrownBy(() -> connection.call(set("refused", tooLarge), LONG_NANOS))
                .withMessageContaining("object too large for cache");
        assertThat(connection.call(get("refused"), LONG_NANOS))
                .as("the old value is gone too")
                .isNull();
        assertThat(connection.state()).isEqualTo(ConnectionState.READY);
    }

    @Test
    void quietGetsAreAnsweredBetweenOthers() {
        Connection connection = connect(server);
        connection.call(set("many1", "one"), LONG_NANOS);
        connection.call(set("many3", "three"), LONG_NANOS);
        List<String> keys = IntStream.range(0, 10).mapToObj(i -> "many" + i).toList();
        CompletableFuture<String> before = future(connection, get("many1"));
        CompletableFuture<FoundItems<String>> many = future(
                connection, new MetaMultiGet<>(keys, (data, flags, cas) -> new String(data, StandardCharsets.UTF_8)));
        CompletableFuture<String> after = future(connection, get("many3"));

        assertThat(result(before)).isEqualTo("one");
        assertThat(result(many).hits()).isEqualTo(Map.of("many1", "one", "many3", "three"));
        assertThat(result(after)).isEqualTo("three");
    }

    @Test
    void manyAsynchronousCommandsOfTwoThreadsGetTheValuesOfTheirKeys() {
        Connection connection = connect(server);
        for (int i = 0; i < 100; i++) {
            connection.call(set("async" + i, "value of async" + i), LONG_NANOS);
        }
        List<CompletableFuture<Long>> floods =
                List.of(calling(() -> flood(connection, 1)), calling(() -> flood(connection, 2)));
        floods.forEach(flood -> assertThat(result(flood)).isEqualTo(2_000));
        eventually("none in flight", () -> connection.inFlight() == 0);
    }

    /** Sends 2,000 gets with up to 400 in flight; how many had the value of their key. */
    private static long flood(Connection connection, long seed) {
        Random random = new Random(seed);
        Semaphore window = new Semaphore(400);
        List<CompletableFuture<Boolean>> right = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            window.acquireUninterruptibly();
            String key = "async" + random.nextInt(100);
            CompletableFuture<String> value = future(connection, get(key));
            right.add(value.handle((got, failure) -> {
                window.release();
                return ("value of " + key).equals(got);
            }));
        }
        return right.stream().filter(ConnectionFixture::result).count();
    }

    /** A request that is encoded once the latch is open, and which holds up its link's writer until then. */
    private static final class Gate extends OwnCommand {

        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch open = new CountDownLatch(1);

        Gate() {
            super("version");
        }

        @Override
        public void encode(RequestBuffer out, int opaque) {
            reached.countDown();
            passes(open);
            super.encode(out, opaque);
        }
    }

    /**
     * Ends calls after their values were encoded and before these are copied, then changes the arrays.
     *
     * @param start starts a call that stores {@code reused}; the runnable ends it, and returns after its end
     */
    private void endsBeforeTheCopy(BiFunction<Connection, byte[], Runnable> start) {
        Connection connection = connect(server);
        connection.call(set("reused", "old"), LONG_NANOS);
        Gate before = new Gate();
        Gate after = new Gate();
        CompletableFuture<String> first = calling(() -> connection.call(before, LONG_NANOS));
        passes(before.reached);
        byte[] value = "a".repeat(20_000).getBytes(StandardCharsets.US_ASCII);
        Runnable end = start.apply(connection, value);
        eventually("queued", () -> connection.inFlight() >= 2);
        CompletableFuture<String> last = calling(() -> connection.call(after, LONG_NANOS));
        eventually("queued", () -> connection.inFlight() >= 3);
        before.open.countDown();
        passes(after.reached);
        end.run();
        Arrays.fill(value, (byte) 'b');
        after.open.countDown();

        assertThat(result(first)).as("others are not affected").isEqualTo(result(last));
        assertThat(connection.call(get("reused"), LONG_NANOS).indexOf('b'))
                .as("first byte that was never set under the key")
                .isEqualTo(-1);
        eventually("none in flight", () -> connection.inFlight() == 0);
    }

    private static MemcachedClient<byte[]> bytes(Connection connection, Duration timeout) {
        return Clients.blocking(connection, Transcoder.bytes(), 1 << 20, timeout);
    }

    private static Runnable interrupting(Runnable call) {
        FutureTask<Boolean> caller = new FutureTask<>(call, true);
        Thread thread = new Thread(caller, "caller");
        thread.start();
        return () -> {
            thread.interrupt();
            eventually("over", caller::isDone);
        };
    }

    @Test
    void setThatWasInterruptedStoresNoLaterBytes() {
        endsBeforeTheCopy((connection, value) ->
                interrupting(() -> bytes(connection, LONG).set("reused", value, TimeToLive.NEVER)));
    }

    @Test
    void futureThatTimedOutStoresNoLaterBytes() {
        endsBeforeTheCopy((connection, value) -> {
            MetaSet.Item item = new MetaSet.Item(value, 0, 0);
            CompletableFuture<StoreStatus> stored = connection
                    .send(new MetaSet<>("reused", MetaSet.Mode.SET, item, MetaSet.ANY_CAS, MetaReply::status))
                    .toFuture(Duration.ofSeconds(2));
            return () -> eventually("over", stored::isDone);
        });
    }

    @Test
    void futureThatWasCancelledStoresNoLaterBytes() {
        endsBeforeTheCopy((connection, value) -> {
            CompletableFuture<?> stored = bytes(connection, LONG).async().set("reused", value, TimeToLive.NEVER);
            return () -> stored.cancel(true);
        });
    }
}
