// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.MetaGet;
import io.memshard.client.protocol.MetaReply;
import io.memshard.client.protocol.MetaSet;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.SendMode;
import io.memshard.testkit.fault.ScriptedConnection;
import io.memshard.testkit.fault.ScriptedServer;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What waits for a server that has stopped takes no more memory than the limits say. */
@EachTransport
@Timeout(120)
class BytesInFlightIT extends ConnectionFixture {

    private static final int KIB = 1024;
    private static final String VALUE = "v".repeat(64 * KIB);

    /** A connection takes a MiB, and each command needs a little more than its value. */
    private static final int VALUES_ON_A_CONNECTION = 15;

    BytesInFlightIT(Transport transport) {
        super(transport, Protocol.META);
    }

    @BeforeEach
    void setLimits() {
        settings.maxValueBytes = 64 * KIB;
        settings.maxBytesInFlight = 2 * KIB * KIB;
    }

    /** Answers a get, and then nothing until it is released. */
    private ScriptedServer stoppedServer() {
        return scriptedServer().onConnection(c -> answerWithValues(answerOne(c).stall()));
    }

    private ScriptedServer serverThatStops() {
        return scriptedServer().onConnection(c -> answerOne(c).stall().ignore());
    }

    private ScriptedServer serverThatResets() {
        return scriptedServer().onConnection(c -> {
            if (c.index() == 0) {
                answerOne(c).stall().reset();
            } else {
                c.ignore();
            }
        });
    }

    private static ScriptedConnection answerOne(ScriptedConnection server) {
        return server.greet().send(replyTo(server.readLine()));
    }

    /** One whose link is there. */
    private Connection connected(ConnectionGroup group, ScriptedServer server) {
        Connection connection = opened(connect(group, server));
        assertThat(connection.call(get("a"), LONG_NANOS)).isEqualTo("value of a");
        return connection;
    }

    private Connection connected(ScriptedServer server) {
        return connected(group(), server);
    }

    /** As {@link #answer}, which takes no values that long. */
    private static void answerWithValues(ScriptedConnection server) {
        server.replyTo(line -> {
            if (line.startsWith("ms ")) {
                server.readBytes(Integer.parseInt(line.split(" ")[2]) + 2);
            }
            return replyTo(line);
        });
    }

    private static List<CompletableFuture<StoreStatus>> store(Connection connection, int values, Duration timeout) {
        List<CompletableFuture<StoreStatus>> all = new ArrayList<>();
        for (int i = 0; i < values; i++) {
            all.add(connection.send(set("k" + i, VALUE)).toFuture(timeout));
        }
        return all;
    }

    private static void allStored(List<CompletableFuture<StoreStatus>> all) {
        assertThat(all).allSatisfy(each -> assertThat(result(each)).isEqualTo(StoreStatus.DONE));
    }

    @Test
    void connectionTakesItsShareAndRefusesTheRest() {
        ScriptedServer server = stoppedServer();
        Connection connection = connected(server);

        List<CompletableFuture<StoreStatus>> all = store(connection, 20, LONG);
        List<CompletableFuture<StoreStatus>> refused = all.subList(VALUES_ON_A_CONNECTION, 20);
        assertThat(refused)
                .allSatisfy(each -> assertThat(failure(MemcachedOverloadException.class, each))
                        .hasMessageContaining(
                                "limit of 1048576 bytes in flight on a connection (half of maxBytesInFlight)")
                        .matches(MemcachedException::isSafeToRetry));

        release(server, 0);
        allStored(all.subList(0, VALUES_ON_A_CONNECTION));
        allStored(store(connection, VALUES_ON_A_CONNECTION, LONG));
    }

    @Test
    void commandsThatWaitForTheFirstLinkCount() {
        ScriptedServer server = scriptedServer().onConnection(c -> answerWithValues(c.stall()));
        Connection connection = connect(server);

        List<CompletableFuture<StoreStatus>> all = store(connection, 20, LONG);
        assertThat(all.subList(VALUES_ON_A_CONNECTION, 20))
                .allSatisfy(each -> failure(MemcachedOverloadException.class, each));
        release(server, 0);
        allStored(all.subList(0, VALUES_ON_A_CONNECTION));
    }

    @Test
    void connectionsOfAClientShareItsBudget() {
        ConnectionGroup group = group();
        Connection first = connected(group, serverThatStops());
        Connection second = connected(group, serverThatStops());
        Connection healthy = connected(group, scriptedServer().onConnection(BytesInFlightIT::answerWithValues));
        store(first, 20, LONG);
        store(second, 20, LONG);

        List<CompletableFuture<StoreStatus>> all = store(healthy, 4, LONG);
        assertThat(failure(
                        MemcachedOverloadException.class,
                        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))))
                .hasMessageContaining("limit of 2097152 bytes in flight in the client reached");
        assertThat(healthy.call(get("a"), LONG_NANOS))
                .as("what is small passes where the server answers")
                .isEqualTo("value of a");
    }

    @Test
    void lostLinkGivesItsShareBack() {
        ConnectionGroup group = group();
        ScriptedServer server = serverThatResets();
        Connection lost = connected(group, server);
        Connection healthy = connect(group, scriptedServer().onConnection(BytesInFlightIT::answerWithValues));
        List<CompletableFuture<StoreStatus>> all = store(lost, 20, LONG);
        release(server, 0);
        all.forEach(each -> failure(MemcachedException.class, each));

        allStored(store(healthy, VALUES_ON_A_CONNECTION, LONG));
    }

    /** As of a server that leaves because it is down. */
    @Test
    void retiredConnectionWithoutALinkGivesItsShareBack() {
        ConnectionGroup group = group();
        ScriptedServer down = scriptedServer().onConnection(ScriptedConnection::ignore);
        for (int i = 0; i < 3; i++) {
            Connection retired = connect(group, down);
            List<Reply<StoreStatus>> all = new ArrayList<>();
            for (int j = 0; j < VALUES_ON_A_CONNECTION; j++) {
                all.add(retired.send(set("k" + j, VALUE), SendMode.AWAITED));
            }
            retired.retire(Duration.ZERO);
            all.forEach(each -> assertThatExceptionOfType(MemcachedConnectionException.class)
                    .isThrownBy(() -> each.await(LONG_NANOS)));
        }

        Connection healthy = connect(group, scriptedServer().onConnection(BytesInFlightIT::answerWithValues));
        allStored(store(healthy, VALUES_ON_A_CONNECTION, LONG));
    }

    /** Otherwise a large value would stay for as long as the connection is idle. */
    @Test
    void idleConnectionKeepsNoValueAfterAHeartbeat() {
        settings.heartbeatInterval = BRIEF;
        Connection connection = connect(answeringServer());
        WeakReference<byte[]> value = new WeakReference<>(connection.call(
                new MetaGet<>("a", MetaGet.Wanted.VALUE, MetaGet.NO_TOUCH, (data, flags, casUnique) -> data),
                LONG_NANOS));

        eventually("let go of", () -> {
            System.gc();
            return value.get() == null;
        });
    }

    /** The stage of one future blocks, and the others wait for it. */
    @Test
    void commandsThatHaveFailedKeepNoValues() {
        CountDownLatch goesOn = new CountDownLatch(1);
        ScriptedServer server = serverThatResets();
        Connection connection = connected(server);
        List<WeakReference<byte[]>> values = new ArrayList<>();
        List<CompletableFuture<Void>> stages = new ArrayList<>();
        for (int i = 0; i < VALUES_ON_A_CONNECTION; i++) {
            byte[] value = new byte[64 * KIB];
            values.add(new WeakReference<>(value));
            stages.add(connection
                    .send(new MetaSet<>(
                            "k" + i,
                            MetaSet.Mode.SET,
                            new MetaSet.Item(value, 0, 0),
                            MetaSet.ANY_CAS,
                            MetaReply::status))
                    .toFuture(LONG)
                    .handle((stored, failure) -> {
                        passes(goesOn);
                        return null;
                    }));
        }
        release(server, 0);
        eventually("let go of", () -> {
            System.gc();
            return values.stream().allMatch(each -> each.get() == null);
        });
        assertThat(stages).anyMatch(stage -> !stage.isDone());
        goesOn.countDown();
        stages.forEach(CompletableFuture::join);
    }
}
