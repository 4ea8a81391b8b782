// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import io.memshard.client.concurrent.ClientLog;
import io.memshard.client.connection.SingleCall;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.ClusterConfig;
import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.sharding.ring.Server;
import java.io.IOException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Source of the servers listed by a configuration endpoint. See {@link
 * ServerSource#configurationEndpoint(ServerAddress, ConnectionOptions, Duration)}.
 *
 * <p>A list has a version, and only a list of a higher version replaces the last one. Nodes of one cluster may answer
 * with different versions for a while. The versions of a recreated endpoint start at 1 again. A lower version is
 * therefore adopted after five periods of lower versions, in which none was lower than the one before.
 *
 * <p>Each look is one command on a new socket, so that the endpoint's name is resolved each time. Endpoints before
 * version 1.4.14 answer the current command with an error, and then receive the old command.
 *
 * <p>Threading: the same as for {@link ServerSource}.
 */
final class ConfigurationEndpoint implements ServerSource {

    static final Duration DEFAULT_PERIOD = Duration.ofSeconds(60);

    /** Number of periods during which all answers must have a lower version before such a version is adopted. */
    private static final int PERIODS_TO_GO_BACK = 5;

    private final ServerAddress endpoint;
    private final ConnectionOptions options;
    private final Duration period;
    private final ClientLog log;
    private final LongSupplier nanoTime;

    // Confined to the discovery's thread: all fields below.

    private @Nullable ClusterList known;

    /** The last answer if its version is below the known one; otherwise null. */
    private @Nullable ClusterList older;

    private long olderSinceNanos;

    /** True once a warning was logged that there are two different lists of the known version. */
    private boolean contradictionLogged;

    ConfigurationEndpoint(ServerAddress endpoint, ConnectionOptions options, Duration period) {
        this(endpoint, options, period, LoggerFactory.getLogger(ConfigurationEndpoint.class), System::nanoTime);
    }

    ConfigurationEndpoint(
            ServerAddress endpoint, ConnectionOptions options, Duration period, Logger log, LongSupplier nanoTime) {
        this.endpoint = Objects.requireNonNull(endpoint, "endpoint is null");
        this.options = Objects.requireNonNull(options, "options is null");
        this.period = ConnectionOptions.checkTimeout("period", period);
        this.log = new ClientLog(log);
        this.nanoTime = nanoTime;
    }

    @Override
    public List<Server> servers(Duration timeout) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        ClusterConfig command = ClusterConfig.ofCommand();
        String list;
        try {
            list = query(command, deadline);
        } catch (MemcachedServerException e) {
            ErrorReply error = command.errorReply();
            if (error == null || error.isServersFault()) {
                throw e;
            }
            list = queryInOldForm(error, deadline);
        }
        if (list == null) {
            throw new IOException("it has no list of servers");
        }
        return adopt(ClusterList.parse(list)).servers();
    }

    private @Nullable String query(ClusterConfig command, long deadlineNanos) throws IOException, InterruptedException {
        Duration remaining = Duration.ofNanos(Math.max(1, deadlineNanos - System.nanoTime()));
        try {
            return SingleCall.call(endpoint, options, command, remaining);
        } catch (UnknownHostException e) {
            throw new IOException("its name cannot be resolved: " + e.getMessage(), e);
        }
    }

    private String queryInOldForm(ErrorReply error, long deadlineNanos) throws IOException, InterruptedException {
        String refusal =
                "it is not a configuration endpoint: it answered " + error.text() + " to config get cluster, and ";
        String advice = ": name the servers themselves if this is one of them";
        ClusterConfig command = ClusterConfig.ofItem();
        String list;
        try {
            list = query(command, deadlineNanos);
        } catch (MemcachedServerException e) {
            ErrorReply second = command.errorReply();
            throw new IOException(
                    refusal + (second == null ? "failed" : second.text()) + " to get " + command.key() + advice, e);
        }
        if (list == null) {
            throw new IOException(refusal + "has no item " + command.key() + advice);
        }
        return list;
    }

    private ClusterList adopt(ClusterList seen) {
        ClusterList last = known;
        if (last == null || seen.version() > last.version()) {
            return accept(seen);
        }
        if (seen.version() == last.version()) {
            older = null;
            if (!seen.equals(last) && !contradictionLogged) {
                contradictionLogged = true;
                log.warn("{}: two lists have version {}; the first stays in force", this, seen.version());
            }
            return last;
        }
        long now = nanoTime.getAsLong();
        if (older == null || seen.version() < older.version()) {
            if (older == null) {
                log.warn(
                        "{}: it sends version {} after {}, which is adopted if no other version arrives for {} periods",
                        this,
                        seen.version(),
                        last.version(),
                        PERIODS_TO_GO_BACK);
            }
            olderSinceNanos = now;
        }
        older = seen;
        return now - olderSinceNanos < PERIODS_TO_GO_BACK * period.toNanos() ? last : accept(seen);
    }

    private ClusterList accept(ClusterList seen) {
        known = seen;
        older = null;
        contradictionLogged = false;
        return seen;
    }

    @Override
    public Duration period() {
        return period;
    }

    /** Returns the address of the endpoint. */
    @Override
    public String toString() {
        return "configuration endpoint " + endpoint;
    }
}
