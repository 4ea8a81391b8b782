package io.memshard.template;

import io.memshard.client.MemcachedClient;

/** A handle that any number of callers hold at once; made once per connection. */
final class SharedConnection extends ClientConnection {

    private final MemcachedClient<byte[]> client;

    SharedConnection(MemcachedClient<byte[]> client) {
        this.client = client;
    }

    @Override
    MemcachedClient<byte[]> client() {
        return client;
    }

    @Override
    public void close() {
        // Shared: the factory closes the connection.
    }
}
