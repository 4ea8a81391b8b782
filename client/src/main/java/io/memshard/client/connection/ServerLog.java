// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.concurrent.ClientLog;
import io.memshard.client.link.LinkContext;
import io.memshard.client.link.ServerFullException;
import io.memshard.client.listener.ServerState;
import io.memshard.client.listener.ServerStatus;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.wire.MalformedReplyException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;

/**
 * Log of a client's connections to one server. The number of lines is limited, regardless of how many connections there
 * are and how often they fail.
 *
 * <p>The first failure of an outage is logged at once, and so is the first with a cause of another kind. An outage ends
 * when every connection that has failed works again, and that is logged at once too. Later failures are counted, and
 * reported in one summary a minute while there are any. At most {@value #MAX_OUTAGES} outages are logged between two
 * summaries. A server that fails and recovers repeatedly thus causes at most seven lines a minute, and one for each
 * further kind of cause. Many time-outs cause another.
 *
 * <p>Threading: thread-safe. Called with a connection's lock held, so it calls nothing except the logger.
 */
final class ServerLog {

    private static final long SUMMARY_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Maximum number of outages that are logged one by one between two summaries. */
    private static final int MAX_OUTAGES = 3;

    /** Minimum number of time-outs in a minute that are logged, if they are one in a hundred commands. */
    private static final int LEAST_TIMEOUTS = 10;

    /** Kinds of causes. All other causes are of one more kind. */
    private static final List<Class<?>> KINDS = List.of(
            AuthenticationRefusedException.class,
            ServerFullException.class,
            SSLException.class,
            MalformedReplyException.class,
            UnknownHostException.class,
            ConnectException.class);

    private final ServerAddress server;
    private final ClientLog log;
    private final LongSupplier nanoTime;

    // Guarded by this, all of the following.

    /** Connections that have failed and do not work again yet. */
    private final Set<Connection> failing = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Time of the first failure of the current outage. */
    private long failingSinceNanos;

    private int attempts;

    /**
     * True while failures are counted instead of logged: until a minute passes without a failure and every connection
     * works.
     */
    private boolean summing;

    /** Start of the current minute: its first failure, or the last summary. */
    private long loggedNanos;

    /** Number of failures since {@link #loggedNanos} for the next summary. */
    private int suppressed;

    private String lastFailure = "";

    /** Kinds of causes logged since {@link #summing} is true. */
    private final Set<Class<?>> kindsTold = new HashSet<>();

    private boolean errorTold;
    private boolean recoveryTold;

    /** Number of outages logged since {@link #loggedNanos}. */
    private int outagesTold;

    private boolean ejected;
    private boolean ejectionLogged;
    private long ejectionLoggedNanos;

    /** True if the last ejection was logged, so that its outcome is logged too. */
    private boolean announcesReturn;

    /** Time of the first time-out of the current minute, if {@link #timeouts} is not zero. */
    private long timeoutsSinceNanos;

    private long timeouts;
    private long answers;

    /** Number of ejections that were not logged, and the reason of the last one. */
    private int suppressedEjections;

    private String lastEjection = "";

    private boolean addressesTold;
    private boolean classicTold;
    private long classicToldNanos;

    /**
     * Creates a log without lines yet.
     *
     * @param nanoTime the clock, usually {@link System#nanoTime()}
     */
    ServerLog(ServerAddress server, Logger log, LongSupplier nanoTime) {
        this.server = server;
        this.log = new ClientLog(log);
        this.nanoTime = nanoTime;
    }

    /**
     * Logs that a connection was lost, or that an attempt to open it has failed.
     *
     * @param message the description of the failure, in one line
     * @param cause the cause, whose stack trace is logged if it is an {@link Error}
     */
    synchronized void failed(Connection connection, LinkContext context, String message, Throwable cause) {
        boolean isNewOutage = failing.isEmpty();
        if (isNewOutage) {
            failingSinceNanos = nanoTime.getAsLong();
            attempts = 0;
        }
        failing.add(connection);
        lastFailure = message;
        boolean isTold = !summing || (isNewOutage && recoveryTold && outagesTold < MAX_OUTAGES);
        if (!summing) {
            beginWindow();
            kindsTold.clear();
        }
        if (isTold) {
            outagesTold++;
        }
        isTold |= kindsTold.add(kind(cause));
        if (isTold) {
            recoveryTold = false;
        } else {
            suppressed++;
        }
        if (cause instanceof Error && !errorTold) {
            errorTold = true;
            log.error("{}: {}", context, message, cause);
        } else if (isTold) {
            log.warn("{}: {}", context, message);
        }
    }

    private static Class<?> kind(Throwable cause) {
        for (Throwable each = cause; each != null; each = each.getCause()) {
            for (Class<?> kind : KINDS) {
                if (kind.isInstance(each)) {
                    return kind;
                }
            }
        }
        return Throwable.class;
    }

    private void beginWindow() {
        summing = true;
        loggedNanos = nanoTime.getAsLong();
        suppressed = 0;
        errorTold = false;
        recoveryTold = false;
        outagesTold = 0;
    }

    /** Counts an attempt to connect that begins now. */
    synchronized void attempted() {
        attempts++;
    }

    /** Records that a failed connection works again: it has served a caller, or has been open for a while. */
    synchronized void recovered(Connection connection) {
        if (failing.remove(connection) && failing.isEmpty() && !recoveryTold) {
            recoveryTold = true;
            double seconds = (nanoTime.getAsLong() - failingSinceNanos) / 1e9;
            log.info(
                    ejected
                            ? "{}: connected after {} s, {} attempt{}, still ejected"
                            : "{}: READY again after {} s, {} attempt{}",
                    server,
                    String.format(Locale.ROOT, "%.1f", seconds),
                    attempts,
                    attempts == 1 ? "" : "s");
        }
    }

    /** Removes a connection that this client has closed. */
    synchronized void closed(Connection connection) {
        failing.remove(connection);
    }

    /**
     * Logs that the server was ejected or taken back. An ejection is logged once a minute at most, and a return only if
     * its ejection was logged. The others are counted for the next summary.
     */
    synchronized void changed(ServerStatus before, ServerStatus now) {
        ejected = now.state() == ServerState.EJECTED || now.state() == ServerState.PROBING;
        if (now.state() == ServerState.EJECTED && before.state() != ServerState.PROBING) {
            long nanos = nanoTime.getAsLong();
            announcesReturn = !ejectionLogged || nanos - ejectionLoggedNanos >= SUMMARY_NANOS;
            if (announcesReturn) {
                ejectionLogged = true;
                ejectionLoggedNanos = nanos;
                log.warn("{}: ejected after {}", server, now.reason());
                return;
            }
            suppressedEjections++;
            lastEjection = String.valueOf(now.reason());
        } else if (now.state() == ServerState.UP && before.state() != ServerState.UNREACHABLE && announcesReturn) {
            log.info("{}: taken back: {}", server, now.reason());
            return;
        }
        log.debug("{}", now);
    }

    /** Logs that classic text is spoken, because the server does not speak meta. Logged once a minute at most. */
    synchronized void classicSpoken(LinkContext context, String denial) {
        long now = nanoTime.getAsLong();
        if (!classicTold || now - classicToldNanos >= SUMMARY_NANOS) {
            classicTold = true;
            classicToldNanos = now;
            log.info("{}: uses protocol CLASSIC: {}", context, denial);
        }
    }

    /** Counts a time-out. */
    synchronized void timedOut() {
        if (timeouts++ == 0) {
            timeoutsSinceNanos = nanoTime.getAsLong();
            answers = 0;
        }
    }

    /** Counts replies that came in time. */
    synchronized void answered(long count) {
        answers += count;
    }

    private void tellTimeouts(long now) {
        if (timeouts == 0 || now - timeoutsSinceNanos < SUMMARY_NANOS) {
            return;
        }
        long commands = timeouts + answers;
        if (timeouts >= LEAST_TIMEOUTS && timeouts * 100 >= commands) {
            log.warn("{}: {} of {} commands timed out in the last minute", server, timeouts, commands);
        }
        timeouts = 0;
    }

    /** Logs once that the name has several addresses, of which all connections of this client use one. */
    synchronized void severalAddresses(SocketAddress used, List<SocketAddress> all) {
        if (!addressesTold) {
            addressesTold = true;
            log.warn(
                    "{}: of the addresses {}, only {} is used; if each is a different server, use DnsSource",
                    server,
                    all,
                    used);
        }
    }

    /** Logs the summaries that are due. Called by the timer. */
    synchronized void tick() {
        long now = nanoTime.getAsLong();
        tellTimeouts(now);
        if (suppressedEjections > 0 && now - ejectionLoggedNanos >= SUMMARY_NANOS) {
            log.warn(
                    "{}: ejected {} more time(s) in the last minute, {} now; the last one after {}",
                    server,
                    suppressedEjections,
                    ejected ? "still ejected" : "in use",
                    lastEjection);
            suppressedEjections = 0;
            ejectionLoggedNanos = now;
            announcesReturn = ejected;
        }
        if (!summing || now - loggedNanos < SUMMARY_NANOS) {
            return;
        }
        if (suppressed > 0) {
            tellSummary();
        } else if (failing.isEmpty()) {
            summing = false;
        }
    }

    private void tellSummary() {
        int count = suppressed;
        boolean connected = failing.isEmpty();
        beginWindow();
        recoveryTold = connected;
        if (connected) {
            log.info(
                    "{}: {}; {} further failure(s) in the last minute",
                    server,
                    ejected ? "connected, still ejected" : "READY",
                    count);
        } else {
            log.warn(
                    "{}: {} connection(s) not connected after {} failure(s) in the last minute, the last: {}",
                    server,
                    failing.size(),
                    count,
                    lastFailure);
        }
    }
}
