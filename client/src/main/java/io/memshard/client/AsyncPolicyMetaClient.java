package io.memshard.client;

import io.memshard.client.protocol.StoreStatus;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An asynchronous meta client under a failure policy other than to fail fast. */
record AsyncPolicyMetaClient<V>(AsyncAttempts<AsyncMetaClient<V>> attempts) implements AsyncMetaClient<V> {

    @Override
    public CompletableFuture<@Nullable MetaItem<V>> get(GetRequest request) {
        return request.isClaim() ? attempts.claim(c -> c.get(request)) : attempts.read(c -> c.get(request));
    }

    @Override
    public CompletableFuture<WriteResult> set(SetRequest<? extends V> request) {
        return attempts.write(c -> c.set(request));
    }

    @Override
    public CompletableFuture<StoreStatus> delete(DeleteRequest request) {
        return attempts.write(c -> c.delete(request));
    }

    @Override
    public CompletableFuture<WriteResult> arithmetic(ArithmeticRequest request) {
        return attempts.write(c -> c.arithmetic(request));
    }

    @Override
    public CompletableFuture<@Nullable ItemDebug> debug(ItemKey key) {
        return attempts.read(c -> c.debug(key));
    }

    @Override
    public CompletableFuture<@Nullable Void> noop() {
        return attempts.write(AsyncMetaClient::noop);
    }
}
