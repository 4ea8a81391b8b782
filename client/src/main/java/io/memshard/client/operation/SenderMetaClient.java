// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.meta.ArithmeticRequest;
import io.memshard.client.meta.AsyncMetaClient;
import io.memshard.client.meta.DeleteRequest;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.MetaClient;
import io.memshard.client.meta.MetaCommands;
import io.memshard.client.meta.MetaItem;
import io.memshard.client.meta.SetRequest;
import io.memshard.client.meta.WriteResult;
import io.memshard.client.meta.WriteStatus;
import io.memshard.client.protocol.MetaNoop;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

record SenderMetaClient<V>(Calls calls, MetaCommands<V> commands) implements MetaClient<V> {

    @Override
    public @Nullable MetaItem<V> get(GetRequest request) {
        return calls.call(commands.get(request));
    }

    @Override
    public WriteResult set(SetRequest<? extends V> request) {
        return calls.call(commands.set(request));
    }

    @Override
    public WriteStatus delete(DeleteRequest request) {
        return calls.call(commands.delete(request));
    }

    @Override
    public WriteResult arithmetic(ArithmeticRequest request) {
        return calls.call(commands.arithmetic(request));
    }

    @Override
    public @Nullable Map<String, String> debug(String key) {
        return calls.call(commands.debug(key));
    }

    @Override
    public @Nullable Map<String, String> debug(byte[] key) {
        return calls.call(commands.debug(key));
    }

    @Override
    public void noop() {
        calls.call(new MetaNoop());
    }

    record Async<V>(Calls calls, MetaCommands<V> commands) implements AsyncMetaClient<V> {

        @Override
        public CompletableFuture<@Nullable MetaItem<V>> get(GetRequest request) {
            return calls.send(commands.get(request));
        }

        @Override
        public CompletableFuture<WriteResult> set(SetRequest<? extends V> request) {
            return calls.send(commands.set(request));
        }

        @Override
        public CompletableFuture<WriteStatus> delete(DeleteRequest request) {
            return calls.send(commands.delete(request));
        }

        @Override
        public CompletableFuture<WriteResult> arithmetic(ArithmeticRequest request) {
            return calls.send(commands.arithmetic(request));
        }

        @Override
        public CompletableFuture<@Nullable Map<String, String>> debug(String key) {
            return calls.send(commands.debug(key));
        }

        @Override
        public CompletableFuture<@Nullable Map<String, String>> debug(byte[] key) {
            return calls.send(commands.debug(key));
        }

        @Override
        public CompletableFuture<@Nullable Void> noop() {
            return calls.send(new MetaNoop());
        }
    }
}
