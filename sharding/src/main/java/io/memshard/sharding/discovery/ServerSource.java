// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import io.memshard.client.options.Credentials;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.TlsOptions;
import io.memshard.sharding.ring.Server;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Source of the current list of servers. Applications may use {@link #file(Path) file},
 * {@link #configurationEndpoint(ServerAddress) configurationEndpoint} or {@link DnsSource}, or
 * implement this interface. {@code timeout -> Server.parseAll("cache-1,cache-2")} is a source of fixed servers.
 *
 * <p>A source need not cache lists, delay changes or repeat failed queries, because {@link Discovery} does so.
 *
 * <p>Threading: a source belongs to one {@link Discovery}, which calls the source from one thread at a time.
 */
@FunctionalInterface
public interface ServerSource extends AutoCloseable {

    /**
     * Returns the current servers. Blocks until the servers are known.
     *
     * <p>The order must not change while the servers stay the same, because some rings assign keys by the position of a
     * server. If two servers have the same name or address, the second server is ignored.
     *
     * @param timeout the time within which the call should return
     * @return at least one server; an empty list counts as a failure
     * @throws IOException if the servers cannot be determined; the message goes to the log and should say what to
     *     change. Any other exception is handled in the same way
     * @throws InterruptedException if the calling thread is interrupted, for example because the {@code Discovery} is
     *     closed
     */
    List<Server> servers(Duration timeout) throws IOException, InterruptedException;

    /**
     * Returns the time between two calls of {@link #servers} for a {@link Discovery} without its own period, more than
     * zero and at most 24 days; by default 30 seconds.
     */
    default Duration period() {
        return Duration.ofSeconds(30);
    }

    /** Releases the resources of this source. Does nothing by default. */
    @Override
    default void close() {}

    /**
     * Returns a source of the servers in a UTF-8 file with one server per line, in the format of {@link Server#parse}.
     * Ignores empty lines, and text after a {@code #}. The file is read every 5 seconds. To change the servers, write a
     * new file and rename it, so that no partly written file is read.
     *
     * <p>Failure: {@link #servers} fails if a line is illegal or names a Unix domain socket. The log then names the
     * file and the line. {@link #servers} also fails if the file does not exist, is not a regular file, or is larger
     * than 1 MiB.
     */
    static ServerSource file(Path file) {
        return new FileSource(file);
    }

    /**
     * Returns a source that queries a configuration endpoint of Amazon ElastiCache or Google Memorystore every 60
     * seconds. The servers keep the endpoint's order. The address of a server is its host name or, if the list has no
     * host name, its IP address. A ring that hashes IP addresses uses the IP address in the list.
     *
     * <p>Failure: {@link #servers} fails if the answer is not a list, or is longer than
     * {@value io.memshard.client.protocol.ClusterConfig#MAX_BYTES} bytes. If an ordinary memcached answers, the message
     * of the exception says so.
     */
    static ServerSource configurationEndpoint(ServerAddress endpoint) {
        return configurationEndpoint(endpoint, null, null);
    }

    /**
     * Returns a source as {@link #configurationEndpoint(ServerAddress)} does, with TLS and credentials.
     *
     * @param tls TLS settings; null for plain text
     * @param credentials supplier of the credentials, called for each query; null for no authentication
     */
    static ServerSource configurationEndpoint(
            ServerAddress endpoint, @Nullable TlsOptions tls, @Nullable Supplier<Credentials> credentials) {
        return new ConfigurationEndpoint(
                endpoint, tls, credentials, LoggerFactory.getLogger(ConfigurationEndpoint.class));
    }
}
