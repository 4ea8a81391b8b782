package io.memshard.template.engine;

import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAccess;
import io.memshard.client.options.ServerAddress;
import io.memshard.sharding.ConnectionChooser;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What an engine needs to know to open connections to one server. Checked before it is made.
 *
 * @param server the server
 * @param connections how many connections, at least 1
 * @param chooser which of them takes the next command
 * @param requestTimeout how long a caller waits for a reply, positive and at most 24 days
 * @param connectTimeout how long opening a connection may take, positive and at most 24 days
 * @param maxValueBytes the largest value to send, in bytes, at least 1
 * @param protocol which protocol the memshard engine speaks; {@code AUTO} for spymemcached
 * @param binaryProtocol whether spymemcached speaks the binary protocol instead of text; false for
 *     the memshard engine
 * @param access TLS, credentials and TCP time-outs; for spymemcached credentials with the binary protocol only
 * @param listener who is told what happens on the connections of the memshard engine; null for nobody
 */
public record EngineSettings(
        ServerAddress server,
        int connections,
        ConnectionChooser chooser,
        Duration requestTimeout,
        Duration connectTimeout,
        int maxValueBytes,
        Protocol protocol,
        boolean binaryProtocol,
        ServerAccess access,
        @Nullable ConnectionListener listener) {

    /** The same, with one connection. */
    public EngineSettings withOneConnection() {
        return new EngineSettings(
                server,
                1,
                chooser,
                requestTimeout,
                connectTimeout,
                maxValueBytes,
                protocol,
                binaryProtocol,
                access,
                listener);
    }
}
