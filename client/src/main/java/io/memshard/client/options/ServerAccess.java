// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.options;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How a server is reached: the TLS, the authentication and the TCP keep-alive of its connections.
 *
 * <p>Threading: immutable.
 *
 * @param tls how to speak TLS; null for plain text
 * @param credentials supplies the credentials, on a connecting thread before each attempt; null for no authentication
 * @param keepAlive when TCP probes an idle connection; null for the operating system's own values
 * @param tcpUserTimeout how long sent bytes may stay unacknowledged until TCP gives the connection up; null for the
 *     operating system's own value. It works only on event loops over Linux's native transport. The JDK has no such
 *     option, so caller-driven connections rely on {@link ConnectionOptions#livenessTimeout}
 */
public record ServerAccess(
        @Nullable TlsOptions tls,
        @Nullable Supplier<Credentials> credentials,
        @Nullable KeepAlive keepAlive,
        @Nullable Duration tcpUserTimeout) {

    private static final Duration SHORTEST = Duration.ofMillis(1);

    /** Plain text, no authentication, the operating system's timeouts. */
    public static final ServerAccess PLAIN = new ServerAccess(null, null, null, null);

    /** Checks the parts. */
    public ServerAccess {
        if (tcpUserTimeout != null
                && (tcpUserTimeout.compareTo(SHORTEST) < 0
                        || tcpUserTimeout.compareTo(ConnectionOptions.LONGEST_TIMEOUT) > 0)) {
            throw new IllegalArgumentException("tcpUserTimeout is " + tcpUserTimeout + ": it is at least " + SHORTEST
                    + " and at most " + ConnectionOptions.LONGEST_TIMEOUT);
        }
    }

    /** The same with TLS. */
    public ServerAccess withTls(TlsOptions newTls) {
        return new ServerAccess(newTls, credentials, keepAlive, tcpUserTimeout);
    }

    /** The same with authentication. */
    public ServerAccess withCredentials(Supplier<Credentials> newCredentials) {
        return new ServerAccess(tls, newCredentials, keepAlive, tcpUserTimeout);
    }

    /** The same with TCP probes. */
    public ServerAccess withKeepAlive(KeepAlive newKeepAlive) {
        return new ServerAccess(tls, credentials, newKeepAlive, tcpUserTimeout);
    }

    /** The same with a TCP user timeout. */
    public ServerAccess withTcpUserTimeout(Duration timeout) {
        return new ServerAccess(tls, credentials, keepAlive, timeout);
    }

    /**
     * Checks that {@code server} can be reached like this over {@code transport}.
     *
     * @throws IllegalArgumentException if not; the message says what to change
     */
    public void check(ServerAddress server, Transport transport) {
        if (tls != null && transport == Transport.CALLER_DRIVEN) {
            throw new IllegalArgumentException(
                    "tls is set with transport CALLER_DRIVEN, which has only plain text: use AUTO or EVENT_LOOP");
        }
        if (tls != null && server.isUnixSocket()) {
            throw new IllegalArgumentException(
                    "tls is set for " + server + ": a Unix domain socket never leaves the machine; leave tls out");
        }
        if (tcpUserTimeout != null && transport == Transport.CALLER_DRIVEN) {
            throw new IllegalArgumentException("tcpUserTimeout is " + tcpUserTimeout
                    + " with transport CALLER_DRIVEN, for which the JDK has no such option: use EVENT_LOOP, or"
                    + " livenessTimeout instead");
        }
    }
}
