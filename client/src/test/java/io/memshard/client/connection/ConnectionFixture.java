// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.concurrent.Backoff;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.link.ConnectionOptions;
import io.memshard.client.link.LinkContext;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaCommand;
import io.memshard.client.protocol.MetaGet;
import io.memshard.client.protocol.MetaReply;
import io.memshard.client.protocol.MetaSet;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.client.protocol.wire.MetaFlags;
import io.memshard.testkit.Eventually;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.fault.FaultProxy;
import io.memshard.testkit.fault.ScriptedConnection;
import io.memshard.testkit.fault.ScriptedServer;
import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** What the contracts of a connection share: connections that are closed and checked for leaks, and commands. */
public abstract class ConnectionFixture {

    /** Longer than anything here takes, so that a test which gets this far has failed. */
    protected static final Duration LONG = Duration.ofMinutes(1);

    protected static final long LONG_NANOS = LONG.toNanos();

    /** The classic greeting and heartbeat. */
    protected static final String PROBE = "get memshard:probe";

    /** The first line of the greeting that finds out the protocol, up to its opaque. The second is {@code mn}. */
    protected static final String META_PROBE = "mg bWVtc2hhcmQ6cHJvYmU= b O";

    /** A timeout that is meant to pass. */
    protected static final Duration SHORT = Duration.ofMillis(300);

    /** A timeout that is meant to pass, where nothing has to happen within it. */
    static final Duration BRIEF = Duration.ofMillis(100);

    /** The settings of the connections that {@link #connect} makes from now on. */
    protected final ConnectionOptions settings = new ConnectionOptions();

    private final Transport transport;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private LeakCheck leaks;

    /**
     * @param transport who does the I/O of the connections under test
     * @param protocol what is spoken on them
     */
    protected ConnectionFixture(Transport transport, Protocol protocol) {
        this.transport = transport;
        settings.connectTimeout = LONG;
        settings.livenessTimeout = LONG;
        settings.heartbeatInterval = LONG;
        settings.reconnectDelay = new Backoff(Duration.ofMillis(10), Duration.ofMillis(50));
        settings.protocol = protocol;
    }

    protected final ConnectionOptions options() {
        return settings.clone();
    }

    /** The verb of {@link #get} as it is written. */
    protected final String getVerb() {
        return options().protocol == Protocol.META ? "mg" : "get";
    }

    /** The JDK opens a socket for itself with the first of each kind, and keeps it. */
    @BeforeAll
    protected static void openTheSocketsThatStay() throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(null);
                SocketChannel client = SocketChannel.open(listener.getLocalAddress());
                ServerSocket blocking = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket blockingClient = new Socket(blocking.getInetAddress(), blocking.getLocalPort())) {
            assertThat(client.isConnected() && blockingClient.isConnected()).isTrue();
        }
        Epoll.isAvailable();
    }

    @BeforeEach
    protected final void takeSnapshot() {
        leaks = LeakCheck.start();
    }

    @AfterEach
    protected final void closeAll() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
        leaks.assertNothingLeft();
    }

    protected final <C extends AutoCloseable> C closedAfterwards(C closeable) {
        opened.push(closeable);
        return closeable;
    }

    protected final ScriptedServer scriptedServer() {
        return closedAfterwards(ScriptedServer.start().expectTimeout(LONG));
    }

    protected final ScriptedServer answeringServer() {
        return scriptedServer().onConnection(ConnectionFixture::answer);
    }

    /** A server that greets, and then says nothing. */
    protected final ScriptedServer silentServer() {
        return scriptedServer().onConnection(c -> c.greet().ignore());
    }

    /** A server that greets, and answers once it is released. */
    protected final ScriptedServer lateServer() {
        return scriptedServer().onConnection(c -> answer(c.greet().stall()));
    }

    /** A listener that accepts nothing, with a full backlog: the kernel drops what comes. */
    protected final InetSocketAddress lostAddress() throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        ServerSocket neverAccepts = closedAfterwards(new ServerSocket(0, 1, loopback));
        InetSocketAddress address = new InetSocketAddress(loopback, neverAccepts.getLocalPort());
        for (int i = 0; i < 8; i++) {
            SocketChannel filler = closedAfterwards(SocketChannel.open());
            filler.configureBlocking(false);
            filler.connect(address);
        }
        return address;
    }

    protected final Connection connect(ServerAddress server) {
        return connect(group(), server);
    }

    protected final ConnectionGroup group() {
        return closedAfterwards(new ConnectionGroup(options(), 1));
    }

    protected final ConnectionGroup group(ConnectionListener listener) {
        return closedAfterwards(new ConnectionGroup(options(), 1, listener));
    }

    protected final LinkContext context(ScriptedServer server) {
        return new LinkContext(address(server), 0, options(), Protocol.META);
    }

    protected final Connection connect(ConnectionGroup group, ServerAddress server) {
        return group.newConnection(server, 0, transport);
    }

    protected final Connection connect(ConnectionGroup group, ScriptedServer server) {
        return connect(group, address(server));
    }

    protected final Connection connect(ScriptedServer server) {
        return connect(address(server));
    }

    protected final Connection connect(MemcachedServer server) {
        return connect(new ServerAddress(server.host(), server.port()));
    }

    protected final Connection connect(FaultProxy proxy) {
        return connect(new ServerAddress(
                proxy.address().getHostString(), proxy.address().getPort()));
    }

    protected static ServerAddress address(ScriptedServer server) {
        return new ServerAddress(server.host(), server.port());
    }

    // Commands.

    protected static Command<@Nullable String> get(String key) {
        return new MetaGet<>(
                key, MetaGet.Wanted.VALUE, MetaGet.NO_TOUCH, (data, flags, casUnique) -> new String(data, UTF_8));
    }

    protected static Command<StoreStatus> set(String key, String value) {
        return store(MetaSet.Mode.SET, key, value);
    }

    protected static Command<StoreStatus> store(MetaSet.Mode mode, String key, String value) {
        MetaSet.Item item = new MetaSet.Item(value.getBytes(UTF_8), 0, 0);
        return new MetaSet<>(key, mode, item, MetaSet.ANY_CAS, MetaReply::status);
    }

    /** What only the meta protocol can say. */
    protected static Command<Long> createdByCounting() {
        MetaFlags flags = MetaFlags.NONE.with("v").with('D', 1).with('N', 0).with('J', 1);
        return new MetaCommand<>(MetaCommand.Verb.ARITHMETIC, "incr", "n", flags, null, reply -> reply.number('v'));
    }

    protected static <T> CompletableFuture<T> future(Connection connection, Command<T> command) {
        return connection.send(command).toFuture(LONG);
    }

    // What the scripts send.

    /** Answers every get with {@code value of <key>}, every set with success, until the client closes. */
    protected static ScriptedConnection answer(ScriptedConnection server) {
        return server.replyTo(ConnectionFixture::replyTo);
    }

    /** The reply of {@link #answer} to a line; that to a line of data is nothing. */
    protected static String replyTo(String line) {
        if (line.startsWith(META_PROBE)) {
            return "EN O" + opaque(line) + "\r\n";
        }
        if (line.equals(PROBE)) {
            return "END\r\n";
        }
        return switch (line.split(" ")[0]) {
            case "mn" -> "MN\r\n";
            case "mg", "get" -> hit(line, "value of " + line.split(" ")[1]);
            case "ms", "md" -> "HD O" + opaque(line) + "\r\n";
            case "set" -> "STORED\r\n";
            case "delete" -> "NOT_FOUND\r\n";
            default -> "";
        };
    }

    /** A reply to the {@code mg} or {@code get} that was read as {@code line}. */
    protected static String hit(String line, String value) {
        return line.startsWith("mg ")
                ? "VA " + value.length() + " f0 O" + opaque(line) + "\r\n" + value + "\r\n"
                : "VALUE " + line.split(" ")[1] + " 0 " + value.length() + "\r\n" + value + "\r\nEND\r\n";
    }

    /** The number that the request has and the reply must have. */
    protected static String opaque(String line) {
        return line.substring(line.lastIndexOf(" O") + 2);
    }

    // What the tests do to the server.

    private static ScriptedConnection accepted(ScriptedServer server, int index) {
        return server.awaitConnection(index, LONG);
    }

    protected static void release(ScriptedServer server, int index) {
        accepted(server, index).release();
    }

    protected static void cut(ScriptedServer server, int index) {
        accepted(server, index).cut();
    }

    /** What the server has read on its connection of this number. */
    protected static String received(ScriptedServer server, int index) {
        return accepted(server, index).received();
    }

    /**
     * Each set of the first five sockets, as many as a handshake takes at most, as bits: the first, the third, both,
     * all of the first n, and so on.
     */
    protected static IntStream firstSockets() {
        return IntStream.range(0, 1 << 5);
    }

    /** A network before {@code target} that hangs up on these sockets in the place of a request, counted from 0. */
    protected final FaultProxy hangingUpOn(int sockets, int dueRequest, InetSocketAddress target) throws IOException {
        FaultProxy network = closedAfterwards(new FaultProxy(target));
        network.hangUp((connection, request) -> request == dueRequest && (sockets >> connection & 1) == 1);
        return network;
    }

    /**
     * Opens the link while nothing is sent. A link that is opened for commands which wait is there for others only when
     * these were moved to it; this one is there when the method returns.
     */
    protected static Connection opened(Connection connection) {
        connection.open();
        eventually("ready", () -> connection.state() == ConnectionState.READY);
        return connection;
    }

    /** Makes a loss known at once: a call meets it, where a look at an idle link comes once a second. */
    static void noticeLoss(Connection connection) {
        try {
            connection.call(get("lost"), LONG_NANOS);
        } catch (MemcachedConnectionException e) {
            // The loss, unless the connection was replaced already.
        }
    }

    /** Waits until a command is answered, over whatever number of links that a short timeout ends meanwhile. */
    protected static void worksInTheEnd(Connection connection) {
        returnsInTheEnd("value of end", () -> connection.call(get("end"), LONG_NANOS));
    }

    /** Waits until the call returns this, over whatever number of lost and refused connections. */
    protected static <T> void returnsInTheEnd(@Nullable T expected, Supplier<? extends @Nullable T> call) {
        eventually("returns " + expected, () -> {
            try {
                return Objects.equals(call.get(), expected);
            } catch (MemcachedConnectionException e) {
                return false;
            }
        });
    }

    /** Waits until the first attempt that fails for this reason, and not because this machine was busy. */
    static void failsWith(Connection connection, String... reasons) {
        eventually("fails with " + List.of(reasons), () -> {
            String message = String.valueOf(failedCall(connection).getMessage());
            return List.of(reasons).stream().allMatch(message::contains);
        });
    }

    // What the tests wait for.

    protected static <T> CompletableFuture<T> calling(Supplier<T> call) {
        return CompletableFuture.supplyAsync(call, task -> new Thread(task, "caller").start());
    }

    protected static CompletableFuture<@Nullable String> calling(Connection connection, String key) {
        return calling(() -> connection.call(get(key), LONG_NANOS));
    }

    protected static <T> T result(CompletableFuture<T> future) {
        try {
            return future.get(LONG_NANOS, TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException | InterruptedException e) {
            throw new AssertionError("no result", e);
        }
    }

    protected static <E extends MemcachedException> E failure(Class<E> type, CompletableFuture<?> future) {
        try {
            Object result = future.get(2 * LONG_NANOS, TimeUnit.NANOSECONDS);
            throw new AssertionError("no failure, but " + result);
        } catch (ExecutionException e) {
            assertThat(e.getCause()).isInstanceOf(type);
            return type.cast(e.getCause());
        } catch (TimeoutException | InterruptedException e) {
            throw new AssertionError("the future hangs", e);
        }
    }

    protected static void eventually(String what, BooleanSupplier condition) {
        Eventually.eventually(what, condition);
    }

    /** Waits until the latch is open, and is true. */
    protected static boolean passes(CountDownLatch latch) {
        try {
            assertThat(latch.await(LONG_NANOS, TimeUnit.NANOSECONDS)).as("open").isTrue();
            return true;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    protected static void pass(CyclicBarrier barrier) {
        try {
            barrier.await(LONG_NANOS, TimeUnit.NANOSECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Events of this library in a recording, in the order of their ends. */
    protected static List<RecordedEvent> events(Recording recording) throws IOException {
        Path file = Files.createTempFile("recording", ".jfr");
        try {
            recording.dump(file);
            return RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getEventType().getName().startsWith("io.memshard."))
                    .sorted(Comparator.comparing(RecordedEvent::getEndTime))
                    .toList();
        } finally {
            Files.delete(file);
        }
    }

    protected static Duration taken(Runnable action) {
        long start = System.nanoTime();
        action.run();
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /** The failure of a call to a connection that is not there. */
    protected static MemcachedConnectionException failedCall(Connection connection) {
        try {
            throw new AssertionError("no failure, but " + connection.call(get("a"), LONG_NANOS));
        } catch (MemcachedConnectionException e) {
            return e;
        }
    }

    /** Shows that many commands at once, and one with a large value, are executed. */
    protected static void storesAndReadsMany(Connection connection) {
        List<CompletableFuture<StoreStatus>> stored = IntStream.range(0, 300)
                .mapToObj(i -> future(connection, set("many" + i, "value " + i)))
                .toList();
        List<CompletableFuture<String>> values = IntStream.range(0, 300)
                .mapToObj(i -> future(connection, get("many" + i)))
                .toList();
        stored.forEach(status -> assertThat(result(status)).isEqualTo(StoreStatus.DONE));
        for (int i = 0; i < 300; i++) {
            assertThat(result(values.get(i))).isEqualTo("value " + i);
        }
        String large = "large ".repeat(160_000);
        assertThat(connection.call(set("large", large), LONG_NANOS)).isEqualTo(StoreStatus.DONE);
        assertThat(connection.call(get("large"), LONG_NANOS)).isEqualTo(large);
    }

    protected static void works(Connection connection) {
        assertThat(connection.call(get("a"), LONG_NANOS)).isEqualTo("value of a");
    }

    /** Waits until the connection works again, and shows that it does. */
    protected static void worksAgain(Connection connection) {
        eventually("works", () -> {
            try {
                return "value of again".equals(connection.call(get("again"), LONG_NANOS));
            } catch (MemcachedConnectionException e) {
                assertThat(e.isSafeToRetry()).isTrue();
                return false;
            }
        });
    }

    /** Waits until the connection is there, and tells whether meta is spoken on it; classic text is, if not. */
    protected static boolean speaksMeta(Connection connection) {
        long deadline = System.nanoTime() + LONG_NANOS;
        while (true) {
            try {
                return connection.call(createdByCounting(), LONG_NANOS) > 0;
            } catch (MemcachedUnsupportedException e) {
                return false;
            } catch (MemcachedConnectionException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw e;
                }
                Thread.onSpinWait();
            }
        }
    }
}
