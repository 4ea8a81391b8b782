package io.memshard.template;

import io.memshard.client.MemcachedClient;
import io.memshard.client.transcoder.EncodedValue;

/** A handle that any number of callers hold at once; made once per connection. */
final class SharedConnection extends ClientConnection {

    private final MemcachedClient<EncodedValue> client;

    SharedConnection(MemcachedClient<EncodedValue> client) {
        this.client = client;
    }

    @Override
    MemcachedClient<EncodedValue> client() {
        return client;
    }

    @Override
    public void close() {
        // Shared: the factory closes the connection.
    }
}
