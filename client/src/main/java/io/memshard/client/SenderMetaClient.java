package io.memshard.client;

import io.memshard.client.connection.CommandSender;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaNoop;
import io.memshard.client.protocol.StoreStatus;
import org.jspecify.annotations.Nullable;

/** The blocking meta client over whatever takes commands. */
record SenderMetaClient<V>(CommandSender sender, MetaRequests<V> requests, long timeoutNanos) implements MetaClient<V> {

    private <T> T call(Command<T> command) {
        return sender.call(command, timeoutNanos);
    }

    @Override
    public @Nullable MetaItem<V> get(GetRequest request) {
        return call(requests.get(request));
    }

    @Override
    public WriteResult set(SetRequest<? extends V> request) {
        return call(requests.set(request));
    }

    @Override
    public StoreStatus delete(DeleteRequest request) {
        return call(requests.delete(request));
    }

    @Override
    public WriteResult arithmetic(ArithmeticRequest request) {
        return call(requests.arithmetic(request));
    }

    @Override
    public @Nullable ItemDebug debug(ItemKey key) {
        return call(requests.debug(key));
    }

    @Override
    public void noop() {
        call(new MetaNoop());
    }
}
