// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.options;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Settings for reaching a server: TLS, authentication and TCP keep-alive of its connections. {@code Memshard.builder()}
 * checks them.
 *
 * <p>Threading: immutable.
 *
 * @param tls TLS settings; null for plain text
 * @param credentials supplies the credentials, on a connecting thread before each attempt; null for no authentication
 * @param keepAlive probes of an idle connection by TCP; null for the operating system's values
 * @param tcpUserTimeout time that sent bytes may stay unacknowledged until TCP closes the connection, at least 1 ms;
 *     null for the operating system's value. Works only on event loops over Linux's native transport. The JDK has no
 *     such option, so caller-driven connections rely on {@link ConnectionOptions#livenessTimeout}
 */
public record ServerAccess(
        @Nullable TlsOptions tls,
        @Nullable Supplier<Credentials> credentials,
        @Nullable KeepAlive keepAlive,
        @Nullable Duration tcpUserTimeout) {

    /** Plain text, no authentication, the operating system's timeouts. */
    public static final ServerAccess PLAIN = new ServerAccess(null, null, null, null);

    /**
     * Checks that a client with these settings can reach {@code server} over {@code transport}.
     *
     * @throws IllegalArgumentException if it cannot; the message says what to change
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
