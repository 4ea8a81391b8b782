package io.memshard.client.connection;

import io.memshard.client.link.ClientThread;
import io.memshard.client.link.FutureCompleter;
import io.memshard.client.link.LinkContext;
import io.memshard.client.link.OwnThread;
import io.memshard.client.link.callers.CallerDrivenLink;
import io.memshard.client.link.eventloop.EventLoopOpener;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes connections and owns what they share: event loops, a timer and the threads that connect.
 *
 * <p>Threading: thread-safe. All threads are daemons named {@code memshard-*}; event loops start with the
 * first connection that opens on them, connecting threads end when idle.
 */
public final class ConnectionGroup implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionGroup.class);

    /** How often deadlines of futures and the health of links are looked at. */
    private static final long TICK_MILLIS = 50;

    private static final long IDLE_SECONDS = 5;
    private static final long SHUTDOWN_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final ConnectionOptions options;
    private final List<ReconnectingConnection> connections = new CopyOnWriteArrayList<>();
    private final EventLoopOpener eventLoop;
    private final Timer timer;
    private final ThreadPoolExecutor connectors;
    /** For futures: at most two threads for each connection that has some to complete. */
    private final ThreadPoolExecutor completers;

    private final @Nullable ConnectionListener listener;
    /** One thread, and so one order, for changes of state. */
    private final ThreadPoolExecutor announcer;

    private volatile boolean closed;

    /** Whether a thread was started that ends the others. */
    private final AtomicBoolean ending = new AtomicBoolean();

    /** A group without connections, which tells nobody what happens on them. */
    public ConnectionGroup(ConnectionOptions options, int eventLoopThreads) {
        this(options, eventLoopThreads, null);
    }

    /**
     * A group without connections.
     *
     * @param eventLoopThreads how many event loops the connections share, at least 1
     * @param listener is told what happens on them; null for nobody
     */
    public ConnectionGroup(ConnectionOptions options, int eventLoopThreads, @Nullable ConnectionListener listener) {
        this.options = options;
        this.listener = listener;
        eventLoop = new EventLoopOpener(eventLoopThreads, options.access());
        timer = new Timer(this::tick);
        connectors = threads("memshard-connect", Integer.MAX_VALUE, new SynchronousQueue<>());
        completers = threads("memshard-complete", Integer.MAX_VALUE, new SynchronousQueue<>());
        announcer = threads("memshard-listener", 1, new LinkedBlockingQueue<>());
        timer.startTicking();
    }

    /**
     * A new connection, which opens its socket with its first command.
     *
     * @param index its position in its array
     * @throws IllegalArgumentException if the server cannot be reached by the transport as the options demand
     */
    public Connection newConnection(ServerAddress server, int index, Transport transport) {
        options.access().check(server, transport);
        LinkContext context = new LinkContext(server, index, options, options.protocol());
        return switch (transport) {
            case EVENT_LOOP -> newEventLoopConnection(context);
            case CALLER_DRIVEN -> newCallerDrivenConnection(context);
            case AUTO ->
                options.access().tls() != null
                        ? newEventLoopConnection(context)
                        : new AutoConnection(newCallerDrivenConnection(context), newEventLoopConnection(context));
        };
    }

    private Connection newCallerDrivenConnection(LinkContext context) {
        return register(new ReconnectingConnection(context, CallerDrivenLink::open, this));
    }

    private Connection newEventLoopConnection(LinkContext context) {
        return register(new ReconnectingConnection(context, eventLoop, this));
    }

    Connection register(ReconnectingConnection connection) {
        if (closed) {
            throw new IllegalStateException("the group is closed");
        }
        connections.add(connection);
        return connection;
    }

    private static ThreadPoolExecutor threads(String name, int most, BlockingQueue<Runnable> queue) {
        return new ThreadPoolExecutor(0, most, IDLE_SECONDS, TimeUnit.SECONDS, queue, OwnThread.factory(name));
    }

    /** What is told of events on the connections; null for nothing. */
    @Nullable
    ConnectionListener listener() {
        return listener;
    }

    /** Has the listener told of a change of state, by a thread of its own. */
    void announce(Connection connection, ConnectionState from, ConnectionState to, @Nullable Throwable cause) {
        ConnectionListener told = listener;
        if (told != null) {
            announcer.execute(() -> {
                try {
                    told.stateChanged(connection, from, to, cause);
                } catch (Throwable e) {
                    LOG.warn("{}: the listener failed", connection, e);
                }
            });
        }
    }

    FutureCompleter newFutureCompleter() {
        return new FutureCompleter(completers);
    }

    /** Runs a blocking attempt to connect on a thread made for that. */
    Future<?> connect(Runnable attempt) {
        return connectors.submit(attempt);
    }

    /** Runs a blocking attempt to connect after a delay. */
    Future<?> connectLater(Runnable attempt, long delayNanos) {
        return timer.schedule(attempt, delayNanos, TimeUnit.NANOSECONDS);
    }

    /** A thread that ticks, also after an {@link Error}, which would end a periodic task of another executor. */
    private static final class Timer extends ScheduledThreadPoolExecutor {

        private final Runnable tick;

        /** Null before the start. Written by the thread that starts it, then by the timer's. */
        private volatile @Nullable Future<?> ticking;

        Timer(Runnable tick) {
            super(1, OwnThread.factory("memshard-timer"));
            this.tick = tick;
            setRemoveOnCancelPolicy(true);
        }

        void startTicking() {
            ticking = scheduleWithFixedDelay(tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
        }

        @Override
        protected void afterExecute(Runnable task, @Nullable Throwable failure) {
            Future<?> current = ticking;
            if (current != null && current.isDone() && !isShutdown()) {
                startTicking();
            }
        }
    }

    private void tick() {
        long now = System.nanoTime();
        for (ReconnectingConnection connection : connections) {
            try {
                connection.tick(now);
            } catch (Throwable e) {
                // An exception or error that left this method would end the timer, and with it every deadline.
                LOG.error("{}: the timer failed, and goes on", connection, e);
            }
        }
    }

    /**
     * Closes each connection, then ends every thread. Idempotent.
     *
     * <p>First every command in flight on any connection fails, whatever the threads are held up by. Then the threads
     * are waited for, up to about ten seconds; one that a stage or a listener holds up beyond that ends when it
     * returns. Called on a thread of a client, as by a stage that depends on a future or by a listener, it waits for
     * none: they end afterwards.
     */
    @Override
    public void close() {
        closed = true;
        connections.forEach(ConnectionGroup::close);
        timer.shutdownNow();
        connectors.shutdownNow();
        if (!ClientThread.isCurrent()) {
            endThreads();
        } else if (ending.compareAndSet(false, true)) {
            new OwnThread(this::endThreads, "memshard-close").start();
        }
    }

    /** An Error that cuts it short must not leave a command in flight, on this connection or another. */
    private static void close(ReconnectingConnection connection) {
        try {
            connection.close();
        } catch (Throwable e) {
            LOG.error("{}: closing was cut short, and is done again", connection, e);
            connection.close();
        }
    }

    private void endThreads() {
        long deadline = System.nanoTime() + SHUTDOWN_NANOS;
        awaitEnd(timer, deadline);
        // An attempt under way closes its socket on the event loop, which must still be there.
        awaitEnd(connectors, deadline);
        // What an Error has cut short is done again, as the timer did before.
        tick();
        eventLoop.close();
        connections.forEach(connection -> connection.awaitClosed(deadline));
        completers.shutdown();
        awaitEnd(completers, deadline);
        tick();
        announcer.shutdown();
        awaitEnd(announcer, deadline);
    }

    private static void awaitEnd(ThreadPoolExecutor executor, long deadlineNanos) {
        try {
            executor.awaitTermination(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
