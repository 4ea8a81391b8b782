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
 * Source of {@link ServerSource#configurationEndpoint(ServerAddress, ConnectionOptions, Duration)}.
 *
 * <p>Only a list of a higher version replaces the last one, because nodes of one cluster may answer with different
 * versions for a while. The versions of a recreated endpoint start at 1 again. A lower version is therefore adopted
 * after five periods in which all versions were lower.
 *
 * <p>Each look is one command on a new socket, so that the endpoint's name is resolved each time.
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

    /**
     * True while lists with lower versions than the known list arrive. {@link #olderSinceNanos} is the time of the
     * first one.
     */
    private boolean isOlder;

    private long olderSinceNanos;

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
        ClusterConfig command = new ClusterConfig();
        String list;
        try {
            list = SingleCall.call(endpoint, options, command, timeout);
        } catch (UnknownHostException e) {
            throw new IOException("its name cannot be resolved: " + e.getMessage(), e);
        } catch (MemcachedServerException e) {
            ErrorReply error = command.errorReply();
            if (error == null || error.isServersFault()) {
                throw e;
            }
            throw new IOException(
                    "it is not a configuration endpoint: it answered " + error.text()
                            + " to config get cluster: if it is one of the servers, set servers instead",
                    e);
        }
        if (list == null) {
            throw new IOException("it has no list of servers");
        }
        return adopt(ClusterList.parse(list)).servers();
    }

    private ClusterList adopt(ClusterList seen) {
        ClusterList last = known;
        if (last != null && seen.version() <= last.version() && !isAdoptedThough(seen, last)) {
            return last;
        }
        known = seen;
        isOlder = false;
        return seen;
    }

    private boolean isAdoptedThough(ClusterList seen, ClusterList last) {
        boolean wasOlder = isOlder;
        isOlder = seen.version() < last.version();
        if (isOlder && !wasOlder) {
            olderSinceNanos = nanoTime.getAsLong();
            log.warn(
                    "{}: the list has version {}, which is lower than version {} of the current list; it is adopted"
                            + " once all lists of {} periods have had a lower version",
                    this,
                    seen.version(),
                    last.version(),
                    PERIODS_TO_GO_BACK);
        }
        return isOlder && nanoTime.getAsLong() - olderSinceNanos >= PERIODS_TO_GO_BACK * period.toNanos();
    }

    @Override
    public Duration period() {
        return period;
    }

    @Override
    public String toString() {
        return "configuration endpoint " + endpoint;
    }
}
