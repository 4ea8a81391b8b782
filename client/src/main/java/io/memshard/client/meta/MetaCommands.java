// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.KeyRule;
import io.memshard.client.protocol.MetaCommand;
import io.memshard.client.protocol.MetaCommand.Verb;
import io.memshard.client.protocol.MetaDebug;
import io.memshard.client.protocol.MetaFlags;
import io.memshard.client.protocol.MetaReply;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.ValueCoder;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes the command of each meta request, for {@link MetaClient} and {@link AsyncMetaClient} alike.
 *
 * <p>Threading: immutable.
 */
@SuppressWarnings("exports") // For our own modules, which see what it is made of.
public final class MetaCommands<V> {

    private final ValueCoder<V> coder;
    private final KeyRule keys;

    /** The operation that the commands are parts of; null if each is one of its own. */
    private final @Nullable String operation;

    /** Makes commands whose values are encoded and decoded by {@code coder}, and whose keys follow {@code keys}. */
    public MetaCommands(ValueCoder<V> coder, KeyRule keys) {
        this(coder, keys, null);
    }

    /** Makes the commands that are parts of {@code operation}. */
    public MetaCommands(ValueCoder<V> coder, KeyRule keys, @Nullable String operation) {
        this.coder = coder;
        this.keys = keys;
        this.operation = operation;
    }

    /** As {@link ValueCoder#encode}. */
    public EncodedValue encode(V value) {
        return coder.encode(value);
    }

    /** As {@link ValueCoder#decode(String, EncodedValue)}. */
    public V decode(String key, EncodedValue stored) {
        return coder.decode(key, stored);
    }

    /** Whether each is only a part of what the caller has called. */
    public boolean arePartsOfACall() {
        return operation != null;
    }

    /** Makes the command of {@link MetaClient#get}. */
    public Command<@Nullable MetaItem<V>> get(GetRequest request) {
        return get(request, true);
    }

    /**
     * The get of a caller that loads a missing value. It may be sent again although it claims the load. If the lost
     * reply carried the claim, the caller waits for the claim to end.
     *
     * @param servesStale whether the caller uses a stale value; if not, it is not a failure if that cannot be decoded
     */
    public Command<@Nullable MetaItem<V>> load(GetRequest request, boolean servesStale) {
        return get(request, servesStale).asRepeatable();
    }

    private MetaCommand<@Nullable MetaItem<V>> get(GetRequest request, boolean decodesStale) {
        return command(Verb.GET, checkRequest(request), reply -> item(request, decodesStale, reply));
    }

    private @Nullable MetaItem<V> item(GetRequest request, boolean decodesStale, MetaReply reply) {
        if (reply.status() != StoreStatus.DONE) {
            return null;
        }
        MetaItem<V> item = new MetaItem<>(request.key().text(), reply, coder);
        // The winner must learn that it has won, even if the old value cannot be decoded, because no other caller will.
        if (!item.isWon() && (decodesStale || !item.isStale())) {
            item.value();
        }
        return item;
    }

    /** Makes the command of {@link MetaClient#set}. */
    public Command<WriteResult> set(SetRequest<? extends V> request) {
        return store(request, coder.encode(checkRequest(request).value()));
    }

    /** The set of what is encoded already. */
    public Command<WriteResult> store(SetRequest<EncodedValue> request) {
        return store(request, request.value());
    }

    private Command<WriteResult> store(SetRequest<?> request, EncodedValue encoded) {
        MetaFlags flags = toMetaFlags(request);
        if (encoded.flags() != 0) {
            flags.add('F', Integer.toUnsignedLong(encoded.flags()));
        }
        return named(new MetaCommand<>(Verb.SET, stored(request.key()), flags, encoded.data(), WriteResult::new));
    }

    /** The command of {@link MetaClient#delete}. */
    public Command<WriteStatus> delete(DeleteRequest request) {
        return command(Verb.DELETE, checkRequest(request), reply -> WriteStatus.of(reply.status()));
    }

    /** Makes the command of {@link MetaClient#arithmetic}. */
    public Command<WriteResult> arithmetic(ArithmeticRequest request) {
        return command(Verb.ARITHMETIC, checkRequest(request), WriteResult::new);
    }

    /** Makes the command of {@link MetaClient#debug}. */
    public Command<@Nullable ItemDebug> debug(ItemKey key) {
        Objects.requireNonNull(key, "key is null");
        return new MetaDebug<>(stored(key), key.isBinary(), ItemDebug::new);
    }

    private static <R> R checkRequest(R request) {
        return Objects.requireNonNull(request, "request is null");
    }

    private <T> MetaCommand<T> command(Verb verb, MetaRequest<?> request, Function<MetaReply, T> outcome) {
        return named(new MetaCommand<>(verb, stored(request.key()), toMetaFlags(request), null, outcome));
    }

    private <T> MetaCommand<T> named(MetaCommand<T> command) {
        return operation == null ? command : command.of(operation);
    }

    private String stored(ItemKey key) {
        return key.isBinary() ? key.behind(keys.prefix()).text() : keys.stored(key.text());
    }

    private MetaFlags toMetaFlags(MetaRequest<?> request) {
        return request.checkFlags().toMetaFlags(request.key(), coder.clock());
    }
}
