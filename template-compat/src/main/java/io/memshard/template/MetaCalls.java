// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.meta.ArithmeticRequest;
import io.memshard.client.meta.DeleteRequest;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemDebug;
import io.memshard.client.meta.ItemKey;
import io.memshard.client.meta.MetaClient;
import io.memshard.client.meta.MetaItem;
import io.memshard.client.meta.SetRequest;
import io.memshard.client.meta.WriteResult;
import io.memshard.client.meta.WriteStatus;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Meta client that obtains the client of the current connection at the start of each command. */
abstract class MetaCalls<V> implements MetaClient<V> {

    abstract <T extends @Nullable Object> T call(Function<MetaClient<V>, T> command);

    @Override
    public @Nullable MetaItem<V> get(GetRequest request) {
        return this.<@Nullable MetaItem<V>>call(client -> client.get(request));
    }

    @Override
    public WriteResult set(SetRequest<? extends V> request) {
        return call(client -> client.set(request));
    }

    @Override
    public WriteStatus delete(DeleteRequest request) {
        return call(client -> client.delete(request));
    }

    @Override
    public WriteResult arithmetic(ArithmeticRequest request) {
        return call(client -> client.arithmetic(request));
    }

    @Override
    public @Nullable ItemDebug debug(ItemKey key) {
        return this.<@Nullable ItemDebug>call(client -> client.debug(key));
    }

    @Override
    public void noop() {
        call(client -> {
            client.noop();
            return true;
        });
    }
}
