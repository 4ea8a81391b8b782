package io.memshard.client;

import io.memshard.client.protocol.StoreStatus;
import org.jspecify.annotations.Nullable;

/** A blocking meta client under a failure policy other than to fail fast. */
record PolicyMetaClient<V>(Attempts<MetaClient<V>> attempts) implements MetaClient<V> {

    @Override
    public @Nullable MetaItem<V> get(GetRequest request) {
        return request.isClaim() ? attempts.claim(c -> c.get(request)) : attempts.read(c -> c.get(request));
    }

    @Override
    public WriteResult set(SetRequest<? extends V> request) {
        return attempts.write(c -> c.set(request));
    }

    @Override
    public StoreStatus delete(DeleteRequest request) {
        return attempts.write(c -> c.delete(request));
    }

    @Override
    public WriteResult arithmetic(ArithmeticRequest request) {
        return attempts.write(c -> c.arithmetic(request));
    }

    @Override
    public @Nullable ItemDebug debug(ItemKey key) {
        return attempts.read(c -> c.debug(key));
    }

    @Override
    public void noop() {
        attempts.write(c -> {
            c.noop();
            return true;
        });
    }
}
