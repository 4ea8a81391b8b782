package io.memshard.client;

import io.memshard.client.connection.CommandSender;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaNoop;
import io.memshard.client.protocol.StoreStatus;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The asynchronous meta client over whatever takes commands. */
record AsyncSenderMetaClient<V>(CommandSender sender, MetaRequests<V> requests, Duration timeout)
        implements AsyncMetaClient<V> {

    private <T> CompletableFuture<T> send(Command<T> command) {
        return sender.send(command).toFuture(timeout);
    }

    @Override
    public CompletableFuture<@Nullable MetaItem<V>> get(GetRequest request) {
        return send(requests.get(request));
    }

    @Override
    public CompletableFuture<WriteResult> set(SetRequest<? extends V> request) {
        return send(requests.set(request));
    }

    @Override
    public CompletableFuture<StoreStatus> delete(DeleteRequest request) {
        return send(requests.delete(request));
    }

    @Override
    public CompletableFuture<WriteResult> arithmetic(ArithmeticRequest request) {
        return send(requests.arithmetic(request));
    }

    @Override
    public CompletableFuture<@Nullable ItemDebug> debug(ItemKey key) {
        return send(requests.debug(key));
    }

    @Override
    public CompletableFuture<@Nullable Void> noop() {
        return send(new MetaNoop());
    }
}
