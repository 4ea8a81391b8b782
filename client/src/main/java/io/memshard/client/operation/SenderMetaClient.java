// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.meta.ArithmeticRequest;
import io.memshard.client.meta.DeleteRequest;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemDebug;
import io.memshard.client.meta.ItemKey;
import io.memshard.client.meta.MetaClient;
import io.memshard.client.meta.MetaCommands;
import io.memshard.client.meta.MetaItem;
import io.memshard.client.meta.SetRequest;
import io.memshard.client.meta.WriteResult;
import io.memshard.client.meta.WriteStatus;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaNoop;
import io.memshard.client.transcoder.EncodedValue;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The blocking meta client over a sender. */
record SenderMetaClient<V>(Calls calls, MetaCommands<V> commands, long timeoutNanos) implements MetaClient<V> {

    private <T> T call(Command<T> command) {
        return commands.arePartsOfACall()
                ? calls.sender().call(command, calls.nanos(timeoutNanos))
                : calls.call(command, timeoutNanos);
    }

    @Override
    public @Nullable MetaItem<V> get(GetRequest request) {
        return call(commands.get(request));
    }

    /** Executes the command that {@link MetaCommands#load} creates. */
    public @Nullable MetaItem<V> load(GetRequest request, boolean servesStale) {
        return call(commands.load(request, servesStale));
    }

    @Override
    public WriteResult set(SetRequest<? extends V> request) {
        return call(commands.set(request));
    }

    /** Stores an encoded value. */
    public WriteResult store(SetRequest<EncodedValue> request) {
        return call(commands.store(request));
    }

    /** Returns the asynchronous client with the same commands. */
    public AsyncSenderMetaClient<V> async() {
        return new AsyncSenderMetaClient<>(calls, commands, Duration.ofNanos(timeoutNanos));
    }

    @Override
    public WriteStatus delete(DeleteRequest request) {
        return call(commands.delete(request));
    }

    @Override
    public WriteResult arithmetic(ArithmeticRequest request) {
        return call(commands.arithmetic(request));
    }

    @Override
    public @Nullable ItemDebug debug(ItemKey key) {
        return call(commands.debug(key));
    }

    @Override
    public void noop() {
        call(new MetaNoop());
    }
}
