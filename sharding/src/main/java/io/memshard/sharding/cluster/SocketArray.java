// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

import io.memshard.client.connection.Connection;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.Stats;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.SendMode;
import io.memshard.sharding.ConnectionChooser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sockets to a server for one kind of callers. They belong to the first connections to the server, and their number
 * depends on the load.
 *
 * <p>A socket that the array adds takes commands only after it is open, so no command waits for it. If a socket cannot
 * be opened, the array adds neither this socket nor the ones after it.
 *
 * <p>Threading: any thread may call {@link #sockets}. All other methods are confined to the timer, and so are the
 * fields that are neither final nor volatile.
 */
final class SocketArray {

    private static final Logger LOG = LoggerFactory.getLogger(SocketArray.class);

    /** Time without growth after the server had no room or a socket could not be opened. */
    static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);

    /**
     * Maximum number of sockets up to which callers never change their socket. A maximum of two means two processors or
     * fewer, where such changes cost more than they gained (ADR 0017).
     */
    private static final int MOST_WITHOUT_MOVES = 2;

    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(1);

    private final ServerAddress server;
    private final String callers;
    private final boolean mayMoveCallers;
    private final Source source;
    private final ConnectionDemand demand;

    private volatile Sockets sockets;

    /** Request for the server's {@code stats}, to find room for the {@link #wanted} sockets; null for none. */
    private @Nullable CompletableFuture<Map<String, String>> question;

    private int wanted;

    /** Sockets that are being opened. */
    private List<Connection> opening = List.of();

    private long pausedUntilNanos = System.nanoTime();
    private boolean toldOfNoRoom;

    /** Source of sockets. */
    interface Source {

        /** Returns the existing socket of the connection at {@code index}, open or not; null if there is none. */
        @Nullable
        Connection known(int index);

        /**
         * Returns the socket of the connection at {@code index}. Creates it if necessary; null if that is impossible.
         */
        @Nullable
        Connection socket(int index);

        /** Returns the number of open sockets of this client to the server, for all kinds of callers. */
        int open();

        /** Retires the unused connections from {@code index} on, because one of them could not be opened. */
        void giveUpFrom(int index);
    }

    /** Snapshot of the sockets to choose from. Threading: immutable, except for {@code mayMove}. */
    static final class Sockets implements ConnectionChooser.Candidates {

        private final Connection[] each;

        /** Permission for threads to change their socket. Written by the timer. */
        private volatile boolean mayMove;

        Sockets(Connection... each) {
            this.each = each;
        }

        Connection get(int index) {
            return each[index];
        }

        @Override
        public int size() {
            return each.length;
        }

        @Override
        public boolean isReady(int index) {
            return each[index].isReady();
        }

        @Override
        public int inFlight(int index) {
            return each[index].inFlight();
        }

        @Override
        public boolean mayMove() {
            return mayMove;
        }

        int inFlight() {
            int inFlight = 0;
            for (Connection socket : each) {
                inFlight += socket.inFlight();
            }
            return inFlight;
        }

        boolean isAnyReady() {
            for (Connection socket : each) {
                if (socket.isReady()) {
                    return true;
                }
            }
            return false;
        }

        /** Returns the socket at {@code first}, and then the others that are ready, in order and wrapping around. */
        List<CommandSender> readyFrom(int first) {
            List<CommandSender> ready = new ArrayList<>(each.length);
            ready.add(each[first]);
            for (int step = 1; step < each.length; step++) {
                int index = (first + step) % each.length;
                if (isReady(index)) {
                    ready.add(each[index]);
                }
            }
            return ready;
        }

        private Sockets with(List<Connection> more) {
            Connection[] all = Arrays.copyOf(each, each.length + more.size());
            for (int i = 0; i < more.size(); i++) {
                all[each.length + i] = more.get(i);
            }
            return new Sockets(all);
        }

        private Sockets first(int size) {
            return new Sockets(Arrays.copyOf(each, size));
        }
    }

    /**
     * Creates an array with the first sockets of {@code source}.
     *
     * @param areCalled whether the callers are platform threads that block
     * @param least the initial number of sockets, which is also the minimum
     * @param most the maximum number of sockets
     */
    SocketArray(ServerAddress server, boolean areCalled, Source source, int least, int most) {
        this.server = server;
        callers = areCalled ? "callers that block" : "other callers";
        mayMoveCallers = areCalled && most > Math.max(least, MOST_WITHOUT_MOVES);
        this.source = source;
        demand = new ConnectionDemand(least, most);
        sockets = new Sockets().with(made(0, least));
    }

    /**
     * Returns the sockets from {@code from} to {@code to} - 1. If one of them cannot be created, returns only those
     * before it.
     */
    private List<Connection> made(int from, int to) {
        List<Connection> made = new ArrayList<>();
        for (int index = from; index < to; index++) {
            Connection socket = source.socket(index);
            if (socket == null) {
                break;
            }
            made.add(socket);
        }
        return made;
    }

    /** Returns the sockets that take commands now. */
    Sockets sockets() {
        return sockets;
    }

    /** Returns the number of connections that this array uses or is opening. */
    int used() {
        return sockets.size() + opening.size();
    }

    /** Returns whether the array is waiting for the server's {@code stats}, or is opening sockets. */
    boolean isGrowing() {
        return question != null || !opening.isEmpty();
    }

    /** Discards the samples of the load and any growth in progress, because the server is down. */
    void reset() {
        question = null;
        opening = List.of();
        demand.reset();
    }

    /**
     * Grows or shrinks the array if that is worthwhile.
     *
     * @param mayGrow whether the array may grow. False while the other array of the server grows, because both would
     *     use the same room
     */
    void tick(long nowNanos, boolean mayGrow) {
        Sockets now = sockets;
        CompletableFuture<Map<String, String>> asked = question;
        if (!opening.isEmpty()) {
            takeOpened(now, nowNanos);
        } else if (asked == null) {
            int pays = demand.wanted(now.inFlight(), now.size());
            // With more commands than connections, it is better that threads stay spread evenly.
            now.mayMove = mayMoveCallers && demand.average() < now.size();
            resize(now, pays, mayGrow && nowNanos - pausedUntilNanos >= 0);
        } else if (asked.isDone()) {
            question = null;
            takeAnswer(now, asked, nowNanos);
        }
    }

    private void resize(Sockets now, int newWanted, boolean mayGrow) {
        wanted = newWanted;
        if (wanted < now.size()) {
            LOG.info(
                    "{}: {} for {}, {} before: no more were busy for a minute",
                    server,
                    count(wanted),
                    callers,
                    now.size());
            sockets = now.first(wanted);
        } else if (wanted > now.size() && mayGrow) {
            Connection next = source.known(now.size());
            if (next != null && next.state() == ConnectionState.READY) {
                take(now, List.of(next));
            } else {
                ask(now);
            }
        }
    }

    /**
     * Requests the {@code stats} of the server before the array grows. A server that speaks classic text may be a proxy
     * without {@code stats}, so the array grows at once, to a fixed limit. Without an open socket, does nothing.
     */
    private void ask(Sockets now) {
        for (int index = 0; index < now.size(); index++) {
            Connection socket = now.get(index);
            if (socket.speaksMeta()) {
                question = socket.send(new Stats(""), SendMode.UNAWAITED).toFuture(ANSWER_TIMEOUT);
                return;
            }
            if (socket.speaksClassic()) {
                open(now, Math.min(wanted, ServerRoom.UNTOLD));
                return;
            }
        }
    }

    private void takeAnswer(Sockets now, CompletableFuture<Map<String, String>> answer, long nowNanos) {
        ServerRoom room = null;
        try {
            room = ServerRoom.of(answer.join());
        } catch (CompletionException e) {
            if (!(e.getCause() instanceof MemcachedServerException)) {
                // No answer, for example because the server is overloaded.
                pausedUntilNanos = nowNanos + PAUSE_NANOS;
                return;
            }
        }
        int size = wanted;
        if (room == null) {
            size = Math.min(wanted, ServerRoom.UNTOLD);
        } else {
            int own = Math.max(1, source.open());
            size = (int) Math.min(wanted, now.size() + room.most(own) - own);
        }
        if (size > now.size()) {
            open(now, size);
            return;
        }
        pausedUntilNanos = nowNanos + PAUSE_NANOS;
        if (!toldOfNoRoom) {
            toldOfNoRoom = true;
            LOG.info(
                    "{}: {} for {}, though {} would pay: the server {}",
                    server,
                    count(now.size()),
                    callers,
                    wanted,
                    room == null ? "does not say how many it takes" : "has " + room);
        }
    }

    private void open(Sockets now, int size) {
        opening = made(now.size(), size);
        goOnOpening();
    }

    /**
     * Opens the sockets one after another. memcached assigns connections to its threads in turn. So neighbours in the
     * array are served by different threads. Returns false if all sockets are open, or if one could not be opened.
     */
    private boolean goOnOpening() {
        for (Connection socket : opening) {
            ConnectionState state = socket.state();
            if (state == ConnectionState.NEW) {
                socket.open();
            }
            if (state != ConnectionState.READY) {
                return state == ConnectionState.NEW || state == ConnectionState.CONNECTING;
            }
        }
        return false;
    }

    /** Adds the opened sockets to the array, once all are open or one has failed to open. */
    private void takeOpened(Sockets now, long nowNanos) {
        if (goOnOpening()) {
            return;
        }
        List<Connection> opened = opening.stream()
                .takeWhile(socket -> socket.state() == ConnectionState.READY)
                .toList();
        boolean haveFailed = opened.size() < opening.size();
        opening = List.of();
        if (!opened.isEmpty()) {
            take(now, opened);
        }
        if (haveFailed) {
            pausedUntilNanos = nowNanos + PAUSE_NANOS;
            source.giveUpFrom(used());
        }
    }

    private void take(Sockets now, List<Connection> open) {
        sockets = now.with(open);
        LOG.info(
                "{}: {} for {}, {} before: {} commands were in flight on average",
                server,
                count(sockets.size()),
                callers,
                now.size(),
                Math.round(demand.average()));
    }

    private static String count(int connections) {
        return connections == 1 ? "1 connection" : connections + " connections";
    }
}
