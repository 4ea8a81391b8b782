// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.concurrent.ClientLog;
import io.memshard.client.concurrent.FlightRecorder;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedAuthenticationException;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedServerFullException;
import io.memshard.client.exception.Phase;
import io.memshard.client.link.Exchange;
import io.memshard.client.link.Link;
import io.memshard.client.link.LinkContext;
import io.memshard.client.link.LinkFailure;
import io.memshard.client.link.ServerFullException;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.Protocol;
import io.memshard.client.protocol.wire.NoClassicFormException;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Dispatcher of a connection's commands: it gives each command to the link, queues it, or refuses it.
 *
 * <h2>Every command completes exactly once</h2>
 *
 * <p>A command is given to a link, refused, or queued. A link completes each command that it has taken. A refused
 * command fails here. A queued command leaves the queue in one of three ways:
 *
 * <ul>
 *   <li>{@link #publish} moves the command to a link. Senders see that link only once the queue is empty, so no later
 *       command overtakes a queued one.
 *   <li>A failed attempt to connect, or the closing of the connection, fails the command. Both change the state and
 *       read the queue under one lock, so no command is queued in between.
 *   <li>The timer fails the command when its timeout has expired.
 * </ul>
 *
 * <p>A queued command is removed only after it was given to a link or has ended. If an {@link Error} interrupts any of
 * these steps, the command is therefore still queued, and the timer finds it. An {@link Exchange} ends once, even if
 * two of these events coincide.
 *
 * <p>Threading: thread-safe. {@link #lock} is the only lock of a connection. It guards every mutable field here, the
 * additions to the queue, and the fields of {@link Reconnector} that are documented as confined to it. The reconnector
 * holds the lock for steps that belong together, and while it calls the methods that are documented as guarded. No
 * other class takes the lock.
 *
 * <p>The lock is taken before the monitors of the queue, the timer, the log, the watch over the server and its budget
 * of sockets. None of these objects calls a connection while it holds its monitor.
 *
 * <p>Memory effects: {@link #link} is written under the lock after the queued commands were moved to it. A command that
 * a thread sends after it has read this link therefore follows the queued commands.
 */
final class Dispatcher {

    private static final ClientLog LOG = ClientLog.of(Connection.class);

    /** Shortest wait for an attempt to connect that messages mention. */
    private static final long NAMED_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Connection connection;
    private final LinkContext context;
    private final UnsentCommands unsent;
    private final Announcer announcer;
    private final ConnectionGroup group;

    final Object lock = new Object();

    /** Link that takes commands; null unless ready. Written under the lock. */
    volatile @Nullable Link link;

    /** State of the connection. Written under the lock. */
    volatile ConnectionState state = ConnectionState.NEW;

    /** Link that queued commands are being moved to, before senders see it. Guarded by the lock. */
    private @Nullable Link movingTo;

    /** Reason why there is no link; null while none is known. Guarded by the lock. */
    private @Nullable Throwable failure;

    /** Time of the next attempt to connect, if there is a {@link #failure}. Guarded by the lock. */
    private long nextAttemptNanos;

    /** True if the last link spoke classic text, or the next is going to. Guarded by the lock. */
    private boolean speaksClassic;

    /** True if a link was lost, and the first attempt to replace it has not ended. Guarded by the lock. */
    private boolean lostJustNow;

    /** True if commands are refused because the connection is about to be closed. Guarded by the lock. */
    private boolean draining;

    /**
     * Creates a dispatcher without a link.
     *
     * @param connection the connection that the listener is notified about
     */
    Dispatcher(Connection connection, LinkContext context, UnsentCommands unsent, ConnectionGroup group) {
        this.connection = connection;
        this.context = context;
        this.unsent = unsent;
        this.group = group;
        announcer = group.threads().announcer();
        speaksClassic = context.protocol() == Protocol.CLASSIC;
        nextAttemptNanos = System.nanoTime();
    }

    // Commands.

    /**
     * Queues a command if commands now have to wait for a link. Otherwise gives the command to the link, or fails it if
     * there is no link.
     */
    void sendWithoutLink(Exchange<?> exchange) {
        Link current;
        synchronized (lock) {
            current = link;
            if (current == null && !draining && (state == ConnectionState.CONNECTING || movingTo != null)) {
                unsent.add(exchange);
                return;
            }
        }
        if (current == null) {
            exchange.fail(notConnected(exchange));
            exchange.completeFuture();
        } else {
            current.send(exchange);
        }
    }

    /**
     * Queues the second attempt of a command, if a link was lost and is about to be replaced.
     *
     * @return false if the command has to be sent like a first attempt
     */
    boolean queueAgain(Exchange<?> exchange) {
        synchronized (lock) {
            if (draining || !isAboutToReconnect()) {
                return false;
            }
            unsent.add(exchange);
            return true;
        }
    }

    /** Guarded by the lock. */
    private boolean isAboutToReconnect() {
        Link current = link;
        // If the link is not alive, its loss was not reported here yet.
        return current == null ? lostJustNow && state == ConnectionState.RECONNECTING : !current.isAlive();
    }

    /** Returns the failure of a command that finds no link. */
    MemcachedConnectionException notConnected(Exchange<?> exchange) {
        Throwable cause;
        String wait;
        boolean classic;
        boolean closed;
        synchronized (lock) {
            cause = failure;
            wait = nextAttemptIn(nextAttemptNanos - System.nanoTime());
            classic = speaksClassic;
            closed = state == ConnectionState.CLOSED || (draining && cause == null);
        }
        String why = closed
                ? "the connection was closed by this client"
                : cause == null ? "not connected" : LinkFailure.describe(cause) + wait;
        CommandContext failed = failed(exchange, classic);
        if (cause instanceof AuthenticationRefusedException) {
            return new MemcachedAuthenticationException(why, failed, cause);
        }
        return ServerFullException.isCauseOf(cause)
                ? new MemcachedServerFullException(why, failed, cause)
                : new MemcachedConnectionException(why, failed, cause);
    }

    /** Returns the context of a failure, which names the command as it would have been written. */
    private static CommandContext failed(Exchange<?> exchange, boolean classic) {
        Phase phase = exchange.endingPhase();
        if (classic) {
            try {
                return exchange.context.forCommand(exchange.command.classicForm(), phase);
            } catch (NoClassicFormException e) {
                // Only the meta protocol has this command, so its meta name is used.
            }
        }
        return exchange.commandContext(phase);
    }

    /**
     * Returns the end of a message that says when the next attempt to connect begins; empty if that is within a second.
     */
    static String nextAttemptIn(long nanos) {
        return nanos < NAMED_WAIT_NANOS ? "" : String.format(Locale.ROOT, ", next attempt in %.1f s", nanos / 1e9);
    }

    /**
     * Moves the queued commands to a link, then lets senders see it.
     *
     * <p>Threading: called without the lock, by the thread that has opened the link. This thread may write the moved
     * commands to the socket.
     *
     * @return false if the link has failed, or the connection was closed
     */
    boolean publish(Link opened) {
        while (true) {
            Exchange<?> first;
            synchronized (lock) {
                // Under the lock, so that the report of a later failure finds the link in place.
                if (state == ConnectionState.CLOSED || !opened.isAlive()) {
                    return false;
                }
                become(ConnectionState.READY, null);
                group.connected(); // Before a moved command ends, because the next call has no time on top.
                speaksClassic = opened.speaksClassic();
                first = unsent.first();
                movingTo = first == null ? null : opened;
                if (first == null) {
                    failure = null;
                    link = draining ? null : opened;
                    return true;
                }
            }
            // A command sent in the meantime is queued, and therefore follows this one.
            unsent.moveFirst(first, opened);
        }
    }

    // Status.

    /** Returns the number of commands that are queued, or in flight on the link. */
    int inFlight() {
        Link current = link;
        if (current != null) {
            return current.inFlight();
        }
        synchronized (lock) {
            return unsent.size() + (movingTo == null ? 0 : movingTo.inFlight());
        }
    }

    /** Returns why senders see no link; null if they see one. */
    @Nullable
    String whyNotReady() {
        synchronized (lock) {
            if (link != null) {
                return null;
            }
            return context + ": " + (failure == null ? "still connecting" : LinkFailure.describe(failure));
        }
    }

    // Changes by the reconnector, which holds the lock.

    /** Returns whether no attempt to connect was made yet, and an attempt is allowed. Guarded by the lock. */
    boolean isNew() {
        return state == ConnectionState.NEW && !draining;
    }

    /** Returns whether commands are refused because the connection is about to be closed. Guarded by the lock. */
    boolean isDraining() {
        return draining;
    }

    /**
     * Returns whether the connection needs a link. While it drains, only the queued commands need one, and no further
     * command is queued. Guarded by the lock.
     */
    boolean wantsLink() {
        return state != ConnectionState.NEW && state != ConnectionState.CLOSED && (!draining || unsent.size() > 0);
    }

    /** Hides a lost link from senders. Returns false if they do not see it. Guarded by the lock. */
    boolean remove(Link lost) {
        if (link != lost || state == ConnectionState.CLOSED) {
            return false;
        }
        link = null;
        return true;
    }

    /** Queues commands from now on, because an attempt to connect starts. Guarded by the lock. */
    void connecting(@Nullable Throwable cause) {
        become(ConnectionState.CONNECTING, cause);
    }

    /**
     * Refuses commands from now on, except second attempts after a loss. Guarded by the lock.
     *
     * @param lost whether a link was lost, and no attempt to connect has failed since
     */
    void reconnecting(Throwable cause, boolean lost) {
        movingTo = null;
        lostJustNow = lost;
        become(ConnectionState.RECONNECTING, cause);
    }

    /**
     * Discards the link to which commands were being moved, after its failure or an Error has stopped the move. Guarded
     * by the lock.
     */
    void abandonMove() {
        movingTo = null;
    }

    /**
     * Sets the reason why there is no link. Guarded by the lock.
     *
     * @param attemptNanos time of the next attempt to connect
     */
    void setFailure(Throwable why, long attemptNanos) {
        failure = why;
        nextAttemptNanos = attemptNanos;
    }

    /** Refuses commands from now on. Commands sent before continue. Guarded by the lock. */
    void drain() {
        draining = true;
        link = null;
    }

    /** Refuses commands from now on, because the connection is closed. Guarded by the lock. */
    void close() {
        become(ConnectionState.CLOSED, null);
        movingTo = null;
        link = null;
    }

    /** Changes the state and announces the change. Guarded by the lock. */
    private void become(ConnectionState next, @Nullable Throwable cause) {
        ConnectionState previous = state;
        if (previous != next) {
            state = next;
            try {
                if (FlightRecorder.IS_PRESENT) {
                    StateEvent.record(context, previous, next, cause);
                }
                announcer.stateChanged(connection, previous, next, cause);
            } catch (Throwable e) {
                // The steps after a change of state must be taken, whether it was announced or not.
                LOG.error("{}: the listener missed the change from {} to {}", context, previous, next, e);
            }
        }
    }
}
