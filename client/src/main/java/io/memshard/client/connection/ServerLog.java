// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.concurrent.ClientLog;
import io.memshard.client.link.LinkContext;
import io.memshard.client.listener.ConnectionStatus;
import io.memshard.client.listener.ServerState;
import io.memshard.client.listener.ServerStatus;
import io.memshard.client.options.ServerAddress;
import java.net.SocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * Log of a client's connections to one server. Threading: thread-safe. Callers hold a connection's lock, so this class
 * calls nothing but the logger.
 */
final class ServerLog {

    static final int MAX_LINES = 8;

    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int LEAST_TIMEOUTS = 10;

    private final ServerAddress server;
    private final ClientLog log;
    private final LongSupplier nanoTime;

    // All fields below are guarded by this object.

    private final Set<ConnectionStatus> failing = new HashSet<>();
    private final Set<Class<?>> kinds = new HashSet<>();

    private long failingSinceNanos;
    private boolean ejected;
    private boolean addressesLogged;

    // The fields below are about the current minute.

    private long minuteNanos;
    private int lines;
    private String lastLine = "";
    private boolean classicLogged;
    private long timeouts;
    private long answers;

    ServerLog(ServerAddress server, Logger log, LongSupplier nanoTime) {
        this.server = server;
        this.log = new ClientLog(log);
        this.nanoTime = nanoTime;
        minuteNanos = nanoTime.getAsLong();
    }

    private void write(boolean isWarning, String line) {
        lastLine = line;
        if (++lines > MAX_LINES) {
            log.debug("{}", line);
        } else if (isWarning) {
            log.warn("{}", line);
        } else {
            log.info("{}", line);
        }
    }

    synchronized void failed(ConnectionStatus connection, LinkContext context, String message, Throwable cause) {
        if (failing.isEmpty()) {
            failingSinceNanos = nanoTime.getAsLong();
            kinds.clear();
        }
        failing.add(connection);
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        if (!kinds.add(root.getClass())) {
            log.debug("{}: {}", context, message);
        } else if (root instanceof Error && lines < MAX_LINES) {
            lines++;
            log.error("{}: {}", context, message, cause);
        } else {
            write(true, context + ": " + message);
        }
    }

    synchronized void recovered(ConnectionStatus connection) {
        if (failing.remove(connection) && failing.isEmpty()) {
            double seconds = (nanoTime.getAsLong() - failingSinceNanos) / 1e9;
            String format = ejected ? "%s: connected after %.1f s, still ejected" : "%s: READY again after %.1f s";
            write(false, String.format(Locale.ROOT, format, server, seconds));
        }
    }

    synchronized void closed(ConnectionStatus connection) {
        failing.remove(connection);
    }

    synchronized void changed(ServerStatus before, ServerStatus now) {
        ejected = now.state() == ServerState.EJECTED || now.state() == ServerState.PROBING;
        if (now.state() == ServerState.EJECTED && before.state() != ServerState.PROBING) {
            write(true, server + ": ejected after " + now.reason());
        } else if (now.state() == ServerState.UP && before.state() != ServerState.UNREACHABLE) {
            write(false, server + ": taken back: " + now.reason());
        } else {
            log.debug("{}", now);
        }
    }

    synchronized void classicSpoken(LinkContext context, String denial) {
        if (!classicLogged) {
            classicLogged = true;
            write(false, context + ": uses protocol CLASSIC: " + denial);
        }
    }

    synchronized void timedOut() {
        timeouts++;
    }

    synchronized void answered(long count) {
        answers += count;
    }

    synchronized void severalAddresses(List<SocketAddress> all) {
        if (!addressesLogged) {
            addressesLogged = true;
            write(
                    true,
                    server + ": of the addresses " + all
                            + ", only one is used; if each is a different server, use DnsSource");
        }
    }

    synchronized void tick() {
        long now = nanoTime.getAsLong();
        if (now - minuteNanos < MINUTE_NANOS) {
            return;
        }
        if (lines > MAX_LINES) {
            log.warn(
                    "{}: {} more messages in the last minute were logged only at DEBUG. The last of them: {}",
                    server,
                    lines - MAX_LINES,
                    lastLine);
        }
        if (timeouts >= LEAST_TIMEOUTS && timeouts * 100 >= timeouts + answers) {
            log.warn("{}: {} of {} commands timed out in the last minute", server, timeouts, timeouts + answers);
        }
        minuteNanos = now;
        lines = 0;
        classicLogged = false;
        timeouts = 0;
        answers = 0;
    }
}
