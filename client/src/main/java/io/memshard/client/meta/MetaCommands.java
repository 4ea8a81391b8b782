// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import io.memshard.client.argument.Exptime;
import io.memshard.client.argument.ValueCoder;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaCommand;
import io.memshard.client.protocol.MetaDebug;
import io.memshard.client.protocol.MetaReply;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.client.protocol.wire.KeyRule;
import io.memshard.client.protocol.wire.MetaFlags;
import io.memshard.client.transcoder.EncodedValue;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Converter of meta requests to commands. Threading: immutable. */
@SuppressWarnings("exports") // Only our own modules use it, and they see the types it depends on.
public final class MetaCommands<V> {

    private final ValueCoder<V> coder;
    private final KeyRule keys;

    /** Operation of the API, such as {@code getOrLoad}; null for a {@code MetaClient}. */
    private final @Nullable String operation;

    public MetaCommands(ValueCoder<V> coder, KeyRule keys) {
        this(coder, keys, null);
    }

    public MetaCommands(ValueCoder<V> coder, KeyRule keys, @Nullable String operation) {
        this.coder = coder;
        this.keys = keys;
        this.operation = operation;
    }

    /** Returns the encoded value, in an array to which the application has no reference. */
    public EncodedValue encode(V value) {
        return coder.copying().encode(value);
    }

    public V decode(String key, EncodedValue stored) {
        return coder.decode(key, stored);
    }

    public Command<@Nullable MetaItem<V>> get(GetRequest request) {
        return get(request, true);
    }

    /** Creates a get. If {@code decodesStale} is false, a stale value that cannot be decoded is not a failure. */
    public Command<@Nullable MetaItem<V>> get(GetRequest request, boolean decodesStale) {
        return command(request, reply -> item(request, decodesStale, reply));
    }

    private @Nullable MetaItem<V> item(GetRequest request, boolean decodesStale, MetaReply reply) {
        if (reply.status() != StoreStatus.DONE) {
            return null;
        }
        MetaItem<V> item = new MetaItem<>(request.key().text(), reply, coder);
        // The winner must get the item even with an undecodable value, because no other caller will load.
        if (!item.isWon() && (decodesStale || !item.isStale())) {
            item.value();
        }
        return item;
    }

    public Command<WriteResult> set(SetRequest<? extends V> request) {
        V value = Objects.requireNonNull(request, "request is null").value();
        return store(request, request.flags().joins() ? coder.encodePart("appending", value) : coder.encode(value));
    }

    public Command<WriteResult> store(SetRequest<EncodedValue> request) {
        return store(request, request.value());
    }

    private Command<WriteResult> store(SetRequest<?> request, EncodedValue encoded) {
        MetaFlags flags = flags(request);
        MetaFlags all = encoded.flags() == 0 ? flags : flags.with('F', Integer.toUnsignedLong(encoded.flags()));
        return command(request, all, encoded.data(), WriteResult::new);
    }

    public Command<WriteStatus> delete(DeleteRequest request) {
        return command(request, reply -> WriteStatus.of(reply.status()));
    }

    public Command<WriteResult> arithmetic(ArithmeticRequest request) {
        return command(request, WriteResult::new);
    }

    public Command<@Nullable Map<String, String>> debug(String key) {
        return debug(ItemKey.of(key));
    }

    public Command<@Nullable Map<String, String>> debug(byte[] key) {
        return debug(ItemKey.of(key));
    }

    private Command<@Nullable Map<String, String>> debug(ItemKey key) {
        return new MetaDebug(stored(key), key.isBinary());
    }

    private <T> MetaCommand<T> command(MetaRequest<?> request, Function<MetaReply, T> outcome) {
        return command(request, flags(request), null, outcome);
    }

    private <T> MetaCommand<T> command(
            MetaRequest<?> request, MetaFlags flags, byte @Nullable [] block, Function<MetaReply, T> outcome) {
        String key = stored(request.key());
        return new MetaCommand<>(request.verb(), operation, key, flags, block, outcome);
    }

    private String stored(ItemKey key) {
        return key.isBinary() ? key.behind(keys.prefix()).text() : keys.stored(key.text());
    }

    private MetaFlags flags(MetaRequest<?> request) {
        MetaFlags flags = Objects.requireNonNull(request, "request is null")
                .flags()
                .map(token -> token instanceof Duration ttl ? Exptime.of(ttl, coder.clock()) : token);
        return request.key().isBinary() ? flags.with("b") : flags;
    }
}
