// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import io.memshard.client.options.ConnectionOptions;
import io.memshard.sharding.ring.Server;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Source of the current list of servers: {@link #fixed}, {@link DnsSource}, {@link ConfigurationEndpoint}, {@link
 * FileSource}, or an implementation of the application.
 *
 * <p>A source need not cache, damp or retry, because {@link Discovery} does.
 *
 * <p>Threading: called by its {@link Discovery}, from one thread at a time. A source belongs to one {@code Discovery}.
 */
public interface ServerSource extends AutoCloseable {

    /**
     * Returns the current servers. Blocks until they are known.
     *
     * <p>Their order must change only with the servers, because some rings assign keys by position. A second server
     * with the same name or address is ignored.
     *
     * @param timeout the time for the call to return
     * @return at least one server; an empty list counts as a failure
     * @throws IOException if the servers cannot be determined; the message goes to the log and should say what to
     *     change. Any other exception has the same effect
     * @throws InterruptedException if the calling thread is interrupted, for example when its {@code Discovery} is
     * closed
     */
    List<Server> servers(Duration timeout) throws IOException, InterruptedException;

    /**
     * Returns the interval until the next look, more than zero and at most 24 days. Called at the start, and after each
     * successful look.
     */
    Duration period();

    /** Releases the resources of this source. Does nothing by default. */
    @Override
    default void close() {}

    /**
     * Returns a source that always returns the same servers.
     *
     * @throws IllegalArgumentException if the list is empty
     */
    static ServerSource fixed(List<Server> servers) {
        List<Server> copy = List.copyOf(servers);
        if (copy.isEmpty()) {
            throw new IllegalArgumentException("the list of servers is empty: write at least one, as in cache-1:11211");
        }
        return new ServerSource() {
            @Override
            public List<Server> servers(Duration timeout) {
                return copy;
            }

            @Override
            public Duration period() {
                return ConnectionOptions.LONGEST_TIMEOUT;
            }

            @Override
            public String toString() {
                return copy.size() + " fixed servers";
            }
        };
    }
}
