package io.memshard.template.engine;

import io.memshard.sharding.ConnectionChooser;
import java.time.Duration;

/**
 * What an engine needs to know to open connections to one server. Checked before it is made.
 *
 * @param host the server's name or address, without brackets
 * @param port the server's port, 1 to 65535
 * @param connections how many connections, at least 1
 * @param chooser which of them takes the next command
 * @param requestTimeout how long a caller waits for a reply, positive
 * @param connectTimeout how long opening a connection may take, positive
 * @param binaryProtocol whether spymemcached speaks the binary protocol instead of text; false for
 *     the memshard engine
 */
public record EngineSettings(
        String host,
        int port,
        int connections,
        ConnectionChooser chooser,
        Duration requestTimeout,
        Duration connectTimeout,
        boolean binaryProtocol) {

    /** The server as it stands in messages: {@code host:port}, the host in brackets if it has colons. */
    public String server() {
        return host.indexOf(':') < 0 ? host + ':' + port : '[' + host + "]:" + port;
    }

    /** The same, with one connection. */
    public EngineSettings withOneConnection() {
        return new EngineSettings(host, port, 1, chooser, requestTimeout, connectTimeout, binaryProtocol);
    }
}
