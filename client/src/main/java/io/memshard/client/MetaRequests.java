package io.memshard.client;

import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaCommand;
import io.memshard.client.protocol.MetaCommand.Verb;
import io.memshard.client.protocol.MetaDebug;
import io.memshard.client.protocol.MetaFlags;
import io.memshard.client.protocol.MetaReply;
import io.memshard.client.protocol.StoreStatus;
import java.time.Clock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes the command of each meta request: what {@link MetaClient} and {@link AsyncMetaClient} have in common.
 *
 * <p>Threading: immutable.
 */
final class MetaRequests<V> {

    private final Transcoder<V> transcoder;
    private final int maxValueBytes;
    private final Clock clock;

    MetaRequests(Transcoder<V> transcoder, int maxValueBytes, Clock clock) {
        this.transcoder = transcoder;
        this.maxValueBytes = maxValueBytes;
        this.clock = clock;
    }

    Command<@Nullable MetaItem<V>> get(GetRequest request) {
        return command(Verb.GET, request, reply -> item(request, reply));
    }

    private @Nullable MetaItem<V> item(GetRequest request, MetaReply reply) {
        if (reply.status() != StoreStatus.DONE) {
            return null;
        }
        MetaItem<V> item = new MetaItem<>(request.key().text(), reply, transcoder);
        // A winner has to learn that it is one, whatever the old value is like: nobody else will be told.
        if (!item.isWon() && !(item.isStale() && request.leavesStale())) {
            item.value();
        }
        return item;
    }

    Command<WriteResult> set(SetRequest<? extends V> request) {
        EncodedValue encoded = ClientCommands.checked(transcoder.encode(request.value()), maxValueBytes);
        MetaFlags flags = written(request);
        if (encoded.flags() != 0) {
            flags.add('F', Integer.toUnsignedLong(encoded.flags()));
        }
        return new MetaCommand<>(Verb.SET, request.key().text(), flags, encoded.data(), WriteResult::new);
    }

    Command<StoreStatus> delete(DeleteRequest request) {
        return command(Verb.DELETE, request, MetaReply::status);
    }

    Command<WriteResult> arithmetic(ArithmeticRequest request) {
        return command(Verb.ARITHMETIC, request, WriteResult::new);
    }

    Command<@Nullable ItemDebug> debug(ItemKey key) {
        return new MetaDebug<>(key.text(), key.isBinary(), ItemDebug::new);
    }

    private <T> Command<T> command(Verb verb, MetaRequest<?> request, Function<MetaReply, T> outcome) {
        return new MetaCommand<>(verb, request.key().text(), written(request), null, outcome);
    }

    private MetaFlags written(MetaRequest<?> request) {
        return request.checkedFlags().written(request.key(), clock);
    }
}
