// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.meta.ArithmeticRequest;
import io.memshard.client.meta.AsyncMetaClient;
import io.memshard.client.meta.DeleteRequest;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemKey;
import io.memshard.client.meta.MetaCommands;
import io.memshard.client.meta.MetaItem;
import io.memshard.client.meta.SetRequest;
import io.memshard.client.meta.WriteResult;
import io.memshard.client.meta.WriteStatus;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaNoop;
import io.memshard.client.transcoder.EncodedValue;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

record AsyncSenderMetaClient<V>(Calls calls, MetaCommands<V> commands, Duration timeout) implements AsyncMetaClient<V> {

    <T> CompletableFuture<T> send(Command<T> command) {
        return commands.arePartsOfACall()
                ? calls.sender().send(command).toFuture(calls.time(timeout))
                : calls.send(command, timeout);
    }

    @Override
    public CompletableFuture<@Nullable MetaItem<V>> get(GetRequest request) {
        return send(commands.get(request));
    }

    @Override
    public CompletableFuture<WriteResult> set(SetRequest<? extends V> request) {
        return send(commands.set(request));
    }

    public CompletableFuture<WriteResult> store(SetRequest<EncodedValue> request) {
        return send(commands.store(request));
    }

    @Override
    public CompletableFuture<WriteStatus> delete(DeleteRequest request) {
        return send(commands.delete(request));
    }

    @Override
    public CompletableFuture<WriteResult> arithmetic(ArithmeticRequest request) {
        return send(commands.arithmetic(request));
    }

    @Override
    public CompletableFuture<@Nullable Map<String, String>> debug(ItemKey key) {
        return send(commands.debug(key));
    }

    @Override
    public CompletableFuture<@Nullable Void> noop() {
        return send(new MetaNoop());
    }
}
