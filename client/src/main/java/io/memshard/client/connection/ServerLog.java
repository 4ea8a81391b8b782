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
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;

/**
 * Log of a client's connections to one server. Writes few lines a minute, however often connections fail. Threading:
 * thread-safe. Called with a connection's lock held, and therefore calls only the logger.
 *
 * <p>An outage lasts from the first failure until every connection that has failed works again. In each minute, the log
 * shows {@value #MAX_OUTAGES} outages, one ejection, and the first failure of each kind immediately. It counts all
 * others, and shows the numbers at the end of the minute.
 */
final class ServerLog {

    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int MAX_OUTAGES = 3;

    /** Time-outs are logged if a minute has at least this many, and at least one command in a hundred timed out. */
    private static final int LEAST_TIMEOUTS = 10;

    /** Kinds of causes. All causes of other classes count as one more kind. */
    private static final List<Class<?>> KINDS = List.of(
            Error.class,
            AuthenticationRefusedException.class,
            ServerFullException.class,
            SSLException.class,
            MalformedReplyException.class,
            UnknownHostException.class,
            ConnectException.class);

    private final ServerAddress server;
    private final ClientLog log;
    private final LongSupplier nanoTime;

    // All fields below are guarded by this object.

    private final Set<Connection> failing = new HashSet<>();

    private long failingSinceNanos;

    private boolean announcesEnd;

    private boolean ejected;

    private boolean announcesReturn;

    private boolean addressesLogged;

    // The fields below are about the current minute.

    private long minuteNanos;

    private final Set<Class<?>> kinds = new HashSet<>();

    private int outages;
    private int ejections;
    private boolean classicLogged;
    private int suppressed;
    private String lastFailure = "";
    private String lastEjection = "";
    private long timeouts;
    private long answers;

    ServerLog(ServerAddress server, Logger log, LongSupplier nanoTime) {
        this.server = server;
        this.log = new ClientLog(log);
        this.nanoTime = nanoTime;
        minuteNanos = nanoTime.getAsLong();
    }

    synchronized void failed(Connection connection, LinkContext context, String message, Throwable cause) {
        boolean isFirst = false;
        if (failing.isEmpty()) {
            failingSinceNanos = nanoTime.getAsLong();
            isFirst = ++outages <= MAX_OUTAGES;
            announcesEnd = false;
        }
        failing.add(connection);
        lastFailure = message;
        Class<?> kind = kind(cause);
        if (!kinds.add(kind) && !isFirst) {
            suppressed++;
            return;
        }
        announcesEnd = true;
        if (kind == Error.class) {
            log.error("{}: {}", context, message, cause);
        } else {
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

    synchronized void recovered(Connection connection) {
        if (failing.remove(connection) && failing.isEmpty() && announcesEnd) {
            log.info(
                    ejected ? "{}: connected after {} s, still ejected" : "{}: READY again after {} s",
                    server,
                    String.format(Locale.ROOT, "%.1f", (nanoTime.getAsLong() - failingSinceNanos) / 1e9));
        }
    }

    synchronized void closed(Connection connection) {
        failing.remove(connection);
    }

    synchronized void changed(ServerStatus before, ServerStatus now) {
        ejected = now.state() == ServerState.EJECTED || now.state() == ServerState.PROBING;
        if (now.state() == ServerState.EJECTED && before.state() != ServerState.PROBING) {
            announcesReturn = ++ejections == 1;
            lastEjection = String.valueOf(now.reason());
            if (announcesReturn) {
                log.warn("{}: ejected after {}", server, now.reason());
            }
        } else if (now.state() == ServerState.UP && before.state() != ServerState.UNREACHABLE && announcesReturn) {
            log.info("{}: taken back: {}", server, now.reason());
        } else {
            log.debug("{}", now);
        }
    }

    synchronized void classicSpoken(LinkContext context, String denial) {
        if (!classicLogged) {
            classicLogged = true;
            log.info("{}: uses protocol CLASSIC: {}", context, denial);
        }
    }

    synchronized void timedOut() {
        timeouts++;
    }

    synchronized void answered(long count) {
        answers += count;
    }

    synchronized void severalAddresses(SocketAddress used, List<SocketAddress> all) {
        if (!addressesLogged) {
            addressesLogged = true;
            log.warn(
                    "{}: of the addresses {}, only {} is used; if each is a different server, use DnsSource",
                    server,
                    all,
                    used);
        }
    }

    synchronized void tick() {
        long now = nanoTime.getAsLong();
        if (now - minuteNanos < MINUTE_NANOS) {
            return;
        }
        if (timeouts >= LEAST_TIMEOUTS && timeouts * 100 >= timeouts + answers) {
            log.warn("{}: {} of {} commands timed out in the last minute", server, timeouts, timeouts + answers);
        }
        if (ejections > 1) {
            log.warn(
                    "{}: ejected {} more time(s) in the last minute; it is {}; cause of the latest ejection: {}",
                    server,
                    ejections - 1,
                    ejected ? "still ejected" : "in use",
                    lastEjection);
            announcesReturn = ejected;
        }
        if (suppressed > 0) {
            logSuppressed();
        }
        if (failing.isEmpty()) {
            kinds.clear();
        }
        minuteNanos = now;
        outages = 0;
        ejections = 0;
        classicLogged = false;
        suppressed = 0;
        timeouts = 0;
        answers = 0;
    }

    private void logSuppressed() {
        announcesEnd = !failing.isEmpty();
        if (announcesEnd) {
            log.warn(
                    "{}: {} connection(s) not connected after {} failure(s) in the last minute, the last: {}",
                    server,
                    failing.size(),
                    suppressed,
                    lastFailure);
        } else {
            log.info(
                    "{}: {}; {} further failure(s) in the last minute",
                    server,
                    ejected ? "connected, still ejected" : "READY",
                    suppressed);
        }
    }
}
