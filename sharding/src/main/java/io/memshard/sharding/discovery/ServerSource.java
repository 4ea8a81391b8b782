// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import io.memshard.client.options.ConnectionOptions;
import io.memshard.sharding.ring.Server;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Says which servers there are at present: {@link #fixed}, {@link DnsSource}, {@link ConfigurationEndpoint},
 * {@link FileSource}, or one's own.
 *
 * <p>It need not remember, damp or retry anything, because {@link Discovery} does that.
 *
 * <p>Threading: its {@link Discovery} calls it, from one thread at a time. A source is for one {@code Discovery}.
 */
public interface ServerSource extends AutoCloseable {

    /**
     * The servers of this moment. Blocks until they are known.
     *
     * <p>Their order is to change only when the servers do, because there are rings that give keys by position. A
     * second server of the same name or address is left out.
     *
     * @param timeout how long it may take
     * @return at least one server; an empty list counts as a failure
     * @throws IOException if they are not known; the message is for the log, so it says what to change. Any other
     *     exception counts the same
     * @throws InterruptedException if the calling thread is interrupted, as when its {@code Discovery} is closed
     */
    List<Server> servers(Duration timeout) throws IOException, InterruptedException;

    /**
     * How long to wait until the next look, more than zero and at most 24 days. Asked at the start, and after each look
     * that has succeeded.
     */
    Duration period();

    /** Gives back what it holds. By default that is nothing. */
    @Override
    default void close() {}

    /**
     * The same servers for ever.
     *
     * @throws IllegalArgumentException if there are none
     */
    static ServerSource fixed(List<Server> servers) {
        List<Server> copy = List.copyOf(servers);
        if (copy.isEmpty()) {
            throw new IllegalArgumentException("the list of servers is empty: give at least one, as in cache-1:11211");
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
