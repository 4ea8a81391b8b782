// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import io.memshard.client.connection.SingleCall;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.ClusterConfig;
import io.memshard.client.protocol.ErrorReply;
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
 * The servers that a configuration endpoint of Amazon ElastiCache or Google Memorystore lists. Each has its host name
 * as its address, and its IP address for the rings that hash it. They are in the endpoint's order.
 *
 * <p>A list has a version, and only a higher one takes the place of the last. Nodes of one cluster may answer different
 * versions for a while. An endpoint that was made anew begins at 1 again. So a lower version is taken when every answer
 * was below the last version for five periods.
 *
 * <p>Each look is one command on a socket of its own, so it finds the endpoint where its name leads at that moment.
 * Endpoints before 1.4.14 are asked in the old form when they answer an error to the new one.
 *
 * <p>Threading: as {@link ServerSource}.
 *
 * <p>Failure: an answer that is no list fails the look, and so does a list of more than
 * {@value io.memshard.client.protocol.ClusterConfig#MAX_BYTES} bytes. A memcached of one's own has no such list, and
 * the failure says so.
 */
public final class ConfigurationEndpoint implements ServerSource {

    /** How often the endpoint is asked, unless one sets it. */
    public static final Duration DEFAULT_PERIOD = Duration.ofSeconds(60);

    /** For so many periods each answer must have a lower version until one is taken. */
    private static final int PERIODS_TO_GO_BACK = 5;

    private final ServerAddress endpoint;
    private final ConnectionOptions options;
    private final Duration period;
    private final Logger log;
    private final LongSupplier nanoTime;

    // Confined to the discovery's thread, all of the following.

    private @Nullable ClusterList known;

    /** The last answer, if its version is below the known one; else null. */
    private @Nullable ClusterList older;

    private long olderSinceNanos;

    /** Whether it was told that the endpoint has another list of the known version. */
    private boolean contradictionTold;

    /** An endpoint in plain text that is asked every {@link #DEFAULT_PERIOD}. */
    public ConfigurationEndpoint(ServerAddress endpoint) {
        this(endpoint, ConnectionOptions.DEFAULTS, DEFAULT_PERIOD);
    }

    /**
     * An endpoint.
     *
     * @param options how it is reached: TLS, credentials and the time to connect count, the others do not
     * @param period how often it is asked, more than zero and at most 24 days
     */
    public ConfigurationEndpoint(ServerAddress endpoint, ConnectionOptions options, Duration period) {
        this(endpoint, options, period, LoggerFactory.getLogger(ConfigurationEndpoint.class), System::nanoTime);
    }

    ConfigurationEndpoint(
            ServerAddress endpoint, ConnectionOptions options, Duration period, Logger log, LongSupplier nanoTime) {
        this.endpoint = Objects.requireNonNull(endpoint, "endpoint is null");
        this.options = Objects.requireNonNull(options, "options is null");
        this.period = ConnectionOptions.checkTimeout("period", period);
        this.log = log;
        this.nanoTime = nanoTime;
    }

    @Override
    public List<Server> servers(Duration timeout) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        ClusterConfig command = ClusterConfig.ofCommand();
        String list;
        try {
            list = ask(command, deadline);
        } catch (MemcachedServerException e) {
            ErrorReply error = command.errorReply();
            if (error == null || error.isServersFault()) {
                throw e;
            }
            list = askTheOldWay(error, deadline);
        }
        if (list == null) {
            throw new IOException("it has no list of servers");
        }
        return adopt(ClusterList.parse(list)).servers();
    }

    private @Nullable String ask(ClusterConfig command, long deadlineNanos) throws IOException, InterruptedException {
        Duration remaining = Duration.ofNanos(Math.max(1, deadlineNanos - System.nanoTime()));
        try {
            return SingleCall.call(endpoint, options, command, remaining);
        } catch (UnknownHostException e) {
            throw new IOException("its name cannot be resolved: " + e.getMessage(), e);
        }
    }

    private String askTheOldWay(ErrorReply error, long deadlineNanos) throws IOException, InterruptedException {
        String refusal =
                "it is no configuration endpoint: it answered " + error.text() + " to config get cluster, and ";
        String advice = ": name the servers themselves if this is one of them";
        ClusterConfig command = ClusterConfig.ofItem();
        String list;
        try {
            list = ask(command, deadlineNanos);
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
            return take(seen);
        }
        if (seen.version() == last.version()) {
            older = null;
            if (!seen.equals(last) && !contradictionTold) {
                contradictionTold = true;
                log.warn("{}: it has two lists of version {}; the first stays in force", this, seen.version());
            }
            return last;
        }
        long now = nanoTime.getAsLong();
        if (older == null || seen.version() < older.version()) {
            if (older == null) {
                log.warn(
                        "{}: it answers version {} after {}, which is taken if no other comes for {} periods",
                        this,
                        seen.version(),
                        last.version(),
                        PERIODS_TO_GO_BACK);
            }
            olderSinceNanos = now;
        }
        older = seen;
        return now - olderSinceNanos < PERIODS_TO_GO_BACK * period.toNanos() ? last : take(seen);
    }

    private ClusterList take(ClusterList seen) {
        known = seen;
        older = null;
        contradictionTold = false;
        return seen;
    }

    @Override
    public Duration period() {
        return period;
    }

    /** The address of the endpoint. */
    @Override
    public String toString() {
        return "configuration endpoint " + endpoint;
    }
}
