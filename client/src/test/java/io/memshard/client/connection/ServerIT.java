// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.MemcachedClient;
import io.memshard.client.TimeToLive;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
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
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.function.BiFunction;
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
