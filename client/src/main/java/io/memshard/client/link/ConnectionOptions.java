// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.concurrent.Backoff;
import io.memshard.client.options.Credentials;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.TlsOptions;
import io.memshard.client.options.Transport;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Settings of connections, with their defaults. {@code Memshard.builder()} describes, checks and writes the fields of
 * its own object. Connections read a copy, whose fields never change.
 */
public class ConnectionOptions implements Cloneable {

    public Duration connectTimeout = Duration.ofMillis(1500);
    public Duration livenessTimeout = Duration.ofSeconds(5);
    public Duration heartbeatInterval = Duration.ofSeconds(10);
    public Backoff reconnectDelay = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(5));

    public int maxInFlight = 16_384;
    public long maxBytesInFlight = 32 * 1024 * 1024;
    public int maxValueBytes = 1024 * 1024;

    public Protocol protocol = Protocol.AUTO;
    public @Nullable TlsOptions tls;
    public @Nullable Supplier<Credentials> credentials;
    public @Nullable Executor completionExecutor;
    public boolean hideKeys;

    @Override
    public ConnectionOptions clone() {
        try {
            return (ConnectionOptions) super.clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Checks that TLS, if set, is possible with {@code server} and {@code with}.
     *
     * @throws IllegalArgumentException if TLS is set but not possible; the message says what to change
     */
    public void check(ServerAddress server, Transport with) {
        if (tls != null && with == Transport.CALLER_DRIVEN) {
            throw new IllegalArgumentException(
                    "tls is set with transport CALLER_DRIVEN, which supports plain text only: use AUTO or EVENT_LOOP");
        }
        if (tls != null && server.isUnixSocket()) {
            throw new IllegalArgumentException(
                    "tls is set for " + server + ", but TLS is not supported on a Unix domain socket: remove tls");
        }
    }

    /**
     * Returns the maximum number of bytes of requests in flight on all connections: {@code maxBytesInFlight}, but at
     * least four times {@code maxValueBytes}. A request counts until its reply arrives or its connection fails.
     */
    public long bytesInFlight() {
        return Math.max(maxBytesInFlight, 4L * maxValueBytes);
    }
}
