// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.admin;

import java.time.Duration;
import java.util.Map;

/**
 * Operator commands for servers. One call queries all servers at once, and returns an answer or a failure for each
 * server.
 *
 * <p>An admin client owns no connection and needs no closing.
 *
 * <p>Threading: thread-safe; each call blocks until every server has answered or the request timeout expires.
 *
 * <p>Failure: {@link ServerResults#failures} contains the servers that did not answer, or that answered with an error.
 * Only an illegal argument throws an exception, before anything is sent.
 *
 * <p>Proxies: twemproxy (0.5.0 and later) supports only {@link #version}. On any other command, twemproxy closes the
 * connection, and all commands in flight on the connection fail.
 *
 * <p>Protocol: the text commands of memcached's protocol.txt, sections "Statistics" and "Other commands".
 */
public interface AdminClient {

    /**
     * Returns the general statistics by name, with each value as the server sent it; some values are empty. Numbers
     * such as {@code curr_items} are unsigned 64-bit numbers. Protocol: {@code stats}; protocol.txt, section
     * "General-purpose statistics".
     */
    ServerResults<Map<String, String>> stats();

    /**
     * Returns the values of a group of statistics, by name. Names and values differ between versions of memcached.
     * Protocol: {@code stats <group>}.
     *
     * @param group {@code items} and {@code slabs} (by slab class), {@code sizes}, {@code settings}, {@code conns}
     *     (connections), or {@code detail dump}. Of these, {@code sizes} contains the number of items of each size, if
     *     the server tracks sizes, and {@code detail dump} contains the numbers of commands by key prefix, after
     *     {@link #countPrefixes countPrefixes(true)}
     * @throws IllegalArgumentException if no such group exists
     */
    ServerResults<Map<String, String>> stats(String group);

    /** Sets the counters of the general statistics to 0. Protocol: {@code stats reset}; the answer is {@code RESET}. */
    ServerResults<String> resetStats();

    /**
     * Starts or stops counting commands by key prefix, the part of a key before the first colon. The statistics
     * {@code detail dump} contain the counts. Protocol: {@code stats detail on|off}; the answer is {@code OK}.
     */
    ServerResults<String> countPrefixes(boolean on);

    /** Returns the servers' versions, such as {@code 1.6.18}. Protocol: {@code version}. */
    ServerResults<String> version();

    /**
     * Expires all items that exist when {@code delay} has passed. Replaces a pending flush. Protocol:
     * {@code flush_all}; the answer is {@code OK}.
     *
     * @param delay the delay, rounded up to whole seconds; zero to flush immediately
     */
    ServerResults<String> flushAll(Duration delay);

    /** Sets the verbosity of the servers' logs, 0 or more. Protocol: {@code verbosity}; the answer is {@code OK}. */
    ServerResults<String> verbosity(int level);
}
