package io.memshard.client.meta;

import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaCommand;
import io.memshard.client.protocol.MetaCommand.Verb;
import io.memshard.client.protocol.MetaDebug;
import io.memshard.client.protocol.MetaFlags;
import io.memshard.client.protocol.MetaReply;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.ValueCoder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes the command of each meta request, for {@link MetaClient} and {@link AsyncMetaClient} alike.
 *
 * <p>Threading: immutable.
 */
public final class MetaCommands<V> {

    private final ValueCoder<V> coder;

    /** Makes commands whose values are encoded and decoded by {@code coder}. */
    public MetaCommands(ValueCoder<V> coder) {
        this.coder = coder;
    }

    Command<@Nullable MetaItem<V>> get(GetRequest request) {
        return get(request, true);
    }

    /**
     * The get of a caller that loads a missing value. It may be sent again although it claims the load. If the lost
     * reply carried the claim, the caller waits for the claim to end.
     *
     * @param servesStale whether the caller uses a stale value; if not, it is not a failure if that cannot be decoded
     */
    Command<@Nullable MetaItem<V>> load(GetRequest request, boolean servesStale) {
        return get(request, servesStale).asRepeatable();
    }

    private MetaCommand<@Nullable MetaItem<V>> get(GetRequest request, boolean decodesStale) {
        return command(Verb.GET, request, reply -> item(request, decodesStale, reply));
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

    Command<WriteResult> set(SetRequest<? extends V> request) {
        EncodedValue encoded = coder.encode(request.value());
        MetaFlags flags = toMetaFlags(request);
        if (encoded.flags() != 0) {
            flags.add('F', Integer.toUnsignedLong(encoded.flags()));
        }
        return new MetaCommand<>(Verb.SET, request.key().text(), flags, encoded.data(), WriteResult::new);
    }

    Command<WriteStatus> delete(DeleteRequest request) {
        return command(Verb.DELETE, request, reply -> WriteStatus.of(reply.status()));
    }

    Command<WriteResult> arithmetic(ArithmeticRequest request) {
        return command(Verb.ARITHMETIC, request, WriteResult::new);
    }

    Command<@Nullable ItemDebug> debug(ItemKey key) {
        return new MetaDebug<>(key.text(), key.isBinary(), ItemDebug::new);
    }

    private <T> MetaCommand<T> command(Verb verb, MetaRequest<?> request, Function<MetaReply, T> outcome) {
        return new MetaCommand<>(verb, request.key().text(), toMetaFlags(request), null, outcome);
    }

    private MetaFlags toMetaFlags(MetaRequest<?> request) {
        return request.checkFlags().toMetaFlags(request.key(), coder.clock());
    }
}
