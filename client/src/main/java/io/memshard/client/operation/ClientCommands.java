// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.CasValue;
import io.memshard.client.argument.Deltas;
import io.memshard.client.argument.Exptime;
import io.memshard.client.argument.ValueCoder;
import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.meta.DeleteRequest;
import io.memshard.client.meta.MetaCommands;
import io.memshard.client.meta.WriteStatus;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaCommand;
import io.memshard.client.protocol.MetaGet;
import io.memshard.client.protocol.MetaReply;
import io.memshard.client.protocol.MetaSet;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.client.protocol.wire.KeyRule;
import io.memshard.client.protocol.wire.MetaFlags;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

final class ClientCommands<V> {

    private static final MetaFlags INCR = MetaFlags.NONE.with("v");
    private static final MetaFlags DECR = INCR.with('M', 'D');
    private static final MetaFlags PLACEHOLDER = MetaFlags.NONE.with("sfc");
    private static final MetaGet.Hit<Boolean> TRUE = (data, flags, casUnique) -> true;

    final ValueCoder<V> coder;
    final KeyRule keys;

    private final MetaGet.Hit<V> value;
    private final MetaGet.Hit<CasValue<V>> casValue;

    ClientCommands(ValueCoder<V> coder, KeyRule keys) {
        this.coder = coder;
        this.keys = keys;
        Transcoder<V> transcoder = coder.transcoder();
        this.value = (data, flags, casUnique) -> decode(transcoder, data, flags);
        this.casValue = (data, flags, casUnique) -> new CasValue<>(decode(transcoder, data, flags), casUnique);
    }

    private static <V> V decode(Transcoder<V> transcoder, byte[] data, int flags) {
        try {
            return transcoder.decode(data, flags);
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            // An Error means that this value is too deep or too large for the transcoder.
            throw MemcachedDecodingException.of(e, flags);
        }
    }

    Command<@Nullable V> get(String key) {
        return new MetaGet<>(keys.stored(key), MetaGet.Wanted.VALUE, MetaGet.NO_TOUCH, value);
    }

    Command<@Nullable CasValue<V>> gets(String key) {
        return new MetaGet<>(keys.stored(key), MetaGet.Wanted.VALUE_AND_CAS, MetaGet.NO_TOUCH, casValue);
    }

    Command<@Nullable V> getAndTouch(String key, Duration ttl) {
        return new MetaGet<>(keys.stored(key), MetaGet.Wanted.VALUE, coder.exptime(ttl), value);
    }

    MultiGet<V> multiGet(Calls calls, Collection<String> written) {
        return multiGet(calls, written, new MultiGet.Read<>(MetaGet.Wanted.VALUE, MetaGet.NO_TOUCH, value));
    }

    MultiGet<CasValue<V>> multiGets(Calls calls, Collection<String> written) {
        return multiGet(calls, written, new MultiGet.Read<>(MetaGet.Wanted.VALUE_AND_CAS, MetaGet.NO_TOUCH, casValue));
    }

    MultiGet<V> multiGetAndTouch(Calls calls, Collection<String> written, Duration ttl) {
        return multiGet(calls, written, new MultiGet.Read<>(MetaGet.Wanted.VALUE, coder.exptime(ttl), value));
    }

    private <R> MultiGet<R> multiGet(Calls calls, Collection<String> written, MultiGet.Read<R> read) {
        return new MultiGet<>(calls, new MultiKeys(keys, written), read, coder.hidesKeys());
    }

    MultiWrite multiSet(Calls calls, Map<String, ? extends V> values, Duration ttl) {
        int exptime = coder.exptime(ttl);
        Objects.requireNonNull(values, "values is null");
        return MultiWrite.set(calls, coder, new MultiKeys(keys, values.keySet()), values, exptime);
    }

    MultiWrite multiDelete(Calls calls, Collection<String> written) {
        return MultiWrite.delete(calls, new MultiKeys(keys, written));
    }

    Command<@Nullable Boolean> touch(String key, Duration ttl) {
        return new MetaGet<>(keys.stored(key), MetaGet.Wanted.NOTHING, coder.exptime(ttl), TRUE);
    }

    Command<@Nullable Void> set(String key, V stored, Duration ttl) {
        return store(key, MetaSet.Mode.SET, item(stored, ttl), ClientCommands::nothing);
    }

    Command<Boolean> add(String key, V stored, Duration ttl) {
        return store(key, MetaSet.Mode.ADD, item(stored, ttl), ClientCommands::isDone);
    }

    Command<Boolean> replace(String key, V stored, Duration ttl) {
        return store(key, MetaSet.Mode.REPLACE, item(stored, ttl), ClientCommands::isDone);
    }

    Command<Boolean> append(String key, V stored) {
        return join("append", key, MetaSet.Mode.APPEND, stored);
    }

    Command<Boolean> prepend(String key, V stored) {
        return join("prepend", key, MetaSet.Mode.PREPEND, stored);
    }

    Command<WriteStatus> cas(String key, V stored, long casUnique, Duration ttl) {
        CasValue.checkCasUnique(casUnique);
        return new MetaSet<>(
                keys.stored(key), MetaSet.Mode.SET, item(stored, ttl), casUnique, ClientCommands::casResult);
    }

    Command<Boolean> delete(String key) {
        return MetaCommand.delete(keys.stored(key), ClientCommands::isDone);
    }

    Command<WriteStatus> invalidate(String key, Duration staleFor) {
        return partsOf("invalidate")
                .delete(DeleteRequest.of(keys.stored(key)).invalidate().ttl(staleFor));
    }

    Command<OptionalLong> incr(String key, long delta) {
        return count("incr", key, INCR.with('D', Deltas.checkIncr(delta)), ClientCommands::numberIfFound);
    }

    Command<Long> incr(String key, long delta, long initial, Duration ttl) {
        MetaFlags flags = INCR.with('N', coder.exptime(ttl)).with('J', initial).with('D', Deltas.checkIncr(delta));
        return count("incr", key, flags, reply -> reply.number('v'));
    }

    Command<OptionalLong> decr(String key, long delta) {
        return count("decr", key, DECR.with('D', Deltas.checkDecr(delta)), ClientCommands::numberIfFound);
    }

    Command<Long> decr(String key, long delta, long initial, Duration ttl) {
        MetaFlags flags = DECR.with('N', coder.exptime(ttl)).with('J', initial).with('D', Deltas.checkDecr(delta));
        return count("decr", key, flags, reply -> reply.number('v'));
    }

    private <T> Command<T> count(String operation, String key, MetaFlags flags, Function<MetaReply, T> outcome) {
        return new MetaCommand<>(MetaCommand.Verb.ARITHMETIC, operation, keys.stored(key), flags, null, outcome);
    }

    private static OptionalLong numberIfFound(MetaReply reply) {
        return reply.has('v') ? OptionalLong.of(reply.number('v')) : OptionalLong.empty();
    }

    MetaCommands<V> partsOf(String operation) {
        return new MetaCommands<>(coder, KeyRule.NONE, operation);
    }

    MetaCommands<V> meta() {
        return new MetaCommands<>(coder, keys);
    }

    MultiLoad<V> multiLoad(Calls calls, Collection<String> written, Duration ttl, LoadOptions options) {
        Load.Plan<V> plan = new Load.Plan<>(
                calls, partsOf(MultiLoad.OPERATION), value -> ttl, Load.Plan.recachingEarly(ttl, options));
        return new MultiLoad<>(plan, new MultiKeys(keys, written));
    }

    private static @Nullable Void nothing(MetaReply reply) {
        return null;
    }

    private static boolean isDone(MetaReply reply) {
        return reply.status() == StoreStatus.DONE;
    }

    private static WriteStatus casResult(MetaReply reply) {
        return switch (reply.status()) {
            case DONE -> WriteStatus.DONE;
            case EXISTS -> WriteStatus.EXISTS;
            case NOT_FOUND, NOT_STORED -> WriteStatus.NOT_FOUND;
        };
    }

    private <T> Command<T> store(String key, MetaSet.Mode mode, MetaSet.Item item, Function<MetaReply, T> outcome) {
        return new MetaSet<>(keys.stored(key), mode, item, MetaSet.ANY_CAS, outcome);
    }

    /** Returns the cas unique if the item is the placeholder of a running {@code getOrLoad}; otherwise null. */
    Command<@Nullable Long> placeholder(String operation, String key) {
        return new MetaCommand<@Nullable Long>(
                MetaCommand.Verb.GET, operation, keys.stored(key), PLACEHOLDER, null, ClientCommands::casOfPlaceholder);
    }

    private static @Nullable Long casOfPlaceholder(MetaReply reply) {
        boolean isClaimed = reply.has('W') || reply.has('Z') || reply.has('X');
        boolean isHeld = isClaimed || (int) reply.number('f') == MetaReply.HELD_PLACE;
        return reply.status() == StoreStatus.DONE && reply.number('s') == 0 && isHeld ? reply.number('c') : null;
    }

    private Command<Boolean> join(String operation, String key, MetaSet.Mode mode, V part) {
        ValueCoder.checkAppendable(operation, coder.transcoder());
        return store(key, mode, item(part, Exptime.NEVER), ClientCommands::isDone);
    }

    private MetaSet.Item item(V stored, Duration ttl) {
        int exptime = coder.exptime(ttl);
        EncodedValue encoded = coder.encode(stored);
        return new MetaSet.Item(encoded.data(), encoded.flags(), exptime);
    }
}
