// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.admin;

import java.time.Duration;
import java.util.Map;

/**
 * An operator's questions to servers. One call asks all servers at once, and each has its own answer or failure.
 *
 * <p>An admin client is a view: it owns no connection and needs no closing.
 *
 * <p>Threading: thread-safe; each call blocks until every server has answered or the request timeout is over.
 *
 * <p>Failure: a server that does not answer, or answers with an error, is among the {@link ServerResults#failures}.
 * Only an illegal argument is thrown, before anything is sent.
 *
 * <p>Proxies: twemproxy knows only {@code version} (from 0.5.0 on). It closes the connection on any other of these
 * commands, which fails all commands in flight on it. Do not ask it.
 *
 * <p>Protocol: the text commands of memcached's protocol.txt, sections "Statistics" and "Other commands".
 */
public interface AdminClient {

    /** {@code stats}: the general statistics. */
    ServerResults<ServerStats> stats();

    /**
     * {@code stats <group>}: values by their names, as the server sends them; some are empty.
     *
     * <p>Protocol: names and values of these groups differ from version to version.
     */
    ServerResults<Map<String, String>> stats(StatsGroup group);

    /** {@code stats reset}: sets the counters of the general statistics to 0; the answer is {@code RESET}. */
    ServerResults<String> resetStats();

    /**
     * {@code stats detail on|off}: starts or stops counting commands by the part of their key before the first colon,
     * for {@link StatsGroup#DETAIL}; the answer is {@code OK}.
     */
    ServerResults<String> countPrefixes(boolean on);

    /** {@code version}: the server's version, such as {@code 1.6.18}. */
    ServerResults<String> version();

    /**
     * {@code flush_all}: expires every item that is stored before {@code delay} is over; the answer is {@code OK}. It
     * replaces a flush that is still pending.
     *
     * @param delay rounded up to whole seconds; zero to flush at once
     */
    ServerResults<String> flushAll(Duration delay);

    /** {@code verbosity}: how much the server logs, from 0; the answer is {@code OK}. */
    ServerResults<String> verbosity(int level);
}
