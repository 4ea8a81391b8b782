package io.memshard.template;

import io.memshard.client.MemcachedClient;
import io.memshard.client.transcoder.EncodedValue;
import java.time.Duration;

/** Another handle's connection with a request timeout of its own. */
final class TimedConnection extends ClientConnection {

    private final ClientConnection connection;
    private final Duration timeout;

    TimedConnection(ClientConnection connection, Duration timeout) {
        this.connection = connection;
        this.timeout = timeout;
    }

    @Override
    MemcachedClient<EncodedValue> client() {
        return connection.client().withTimeout(timeout);
    }

    @Override
    public void close() {
        connection.close();
    }
}
