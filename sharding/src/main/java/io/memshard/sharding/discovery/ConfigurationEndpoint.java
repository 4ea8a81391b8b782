// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import io.memshard.client.concurrent.ClientLog;
import io.memshard.client.connection.SingleCall;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.link.ConnectionOptions;
import io.memshard.client.options.Credentials;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.TlsOptions;
import io.memshard.client.protocol.ClusterConfig;
import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.sharding.ring.Server;
import java.io.IOException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Source that queries a configuration endpoint. Nodes may answer with different versions for a while, so only a higher
 * version replaces the current list. A recreated cluster starts with version 1 again, so the fifth list in a row with a
 * lower version also replaces the current list.
 */
final class ConfigurationEndpoint implements ServerSource {

    private static final int QUERIES_TO_GO_BACK = 5;

    private final ServerAddress endpoint;
    private final ConnectionOptions options = new ConnectionOptions();
    private final ClientLog log;

    private @Nullable ClusterList known;
    private int olderInARow;

    ConfigurationEndpoint(
            ServerAddress endpoint, @Nullable TlsOptions tls, @Nullable Supplier<Credentials> credentials, Logger log) {
        this.endpoint = Objects.requireNonNull(endpoint, "endpoint is null");
        options.tls = tls;
        options.credentials = credentials;
        this.log = new ClientLog(log);
    }

    @Override
    public List<Server> servers(Duration timeout) throws IOException, InterruptedException {
        ClusterConfig command = new ClusterConfig();
        String list;
        try {
            list = SingleCall.call(endpoint, options, command, timeout);
        } catch (UnknownHostException e) {
            throw new IOException("the name of the endpoint cannot be resolved: " + e.getMessage(), e);
        } catch (MemcachedServerException e) {
            ErrorReply error = command.errorReply();
            if (error == null || error.isServersFault()) {
                throw e;
            }
            throw new IOException(
                    "the server answered " + error.text() + " to the command config get cluster, but a configuration"
                            + " endpoint answers this command with a list of servers: set the address of such an"
                            + " endpoint, or replace discovery(...) by servers(...)",
                    e);
        }
        if (list == null) {
            throw new IOException(
                    "the endpoint answered without a list of servers: set the address of a configuration endpoint");
        }
        return adopt(ClusterList.parse(list)).servers();
    }

    private ClusterList adopt(ClusterList seen) {
        ClusterList last = known;
        if (last != null && seen.version() <= last.version()) {
            olderInARow = seen.version() < last.version() ? olderInARow + 1 : 0;
            if (olderInARow == 1) {
                log.warn(
                        "{}: the list has version {}, which is lower than version {} of the current list; the current"
                                + " list stays in force until {} queries in a row return lower versions",
                        this,
                        seen.version(),
                        last.version(),
                        QUERIES_TO_GO_BACK);
            }
            if (olderInARow < QUERIES_TO_GO_BACK) {
                return last;
            }
        }
        known = seen;
        olderInARow = 0;
        return seen;
    }

    @Override
    public Duration period() {
        return Duration.ofSeconds(60);
    }

    @Override
    public String toString() {
        return "configuration endpoint " + endpoint;
    }
}
