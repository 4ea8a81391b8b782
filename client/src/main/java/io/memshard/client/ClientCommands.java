package io.memshard.client;

import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaArithmetic;
import io.memshard.client.protocol.MetaDelete;
import io.memshard.client.protocol.MetaGet;
import io.memshard.client.protocol.MetaSet;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.client.transcoder.ValueCoder;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes the command of each client method, for {@link MemcachedClient} and {@link AsyncMemcachedClient} alike.
 *
 * <p>Threading: immutable.
 */
final class ClientCommands<V> {

    private static final Function<OptionalLong, OptionalLong> AS_IT_IS = Function.identity();
    private static final Function<OptionalLong, Long> NUMBER = OptionalLong::getAsLong;
    private static final MetaGet.Hit<Boolean> TRUE = (data, flags, casUnique) -> true;

    private final ValueCoder<V> coder;

    private final MetaGet.Hit<V> value;
    private final MetaGet.Hit<CasValue<V>> casValue;

    ClientCommands(ValueCoder<V> coder) {
        this.coder = coder;
        this.value = (data, flags, casUnique) -> coder.decode(data, flags);
        this.casValue = (data, flags, casUnique) -> new CasValue<>(coder.decode(data, flags), casUnique);
    }

    <W> ClientCommands<W> withTranscoder(Transcoder<W> other) {
        return new ClientCommands<>(coder.withTranscoder(other));
    }

    ValueCoder<V> coder() {
        return coder;
    }

    Command<@Nullable V> get(String key) {
        return new MetaGet<>(key, MetaGet.Wanted.VALUE, MetaGet.NO_TOUCH, value);
    }

    Command<@Nullable CasValue<V>> gets(String key) {
        return new MetaGet<>(key, MetaGet.Wanted.VALUE_AND_CAS, MetaGet.NO_TOUCH, casValue);
    }

    Command<@Nullable V> getAndTouch(String key, Duration ttl) {
        return new MetaGet<>(key, MetaGet.Wanted.VALUE, exptime(ttl), value);
    }

    Command<@Nullable Boolean> touch(String key, Duration ttl) {
        return new MetaGet<>(key, MetaGet.Wanted.NOTHING, exptime(ttl), TRUE);
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
        return store(key, MetaSet.Mode.APPEND, item(stored, Duration.ZERO), ClientCommands::isDone);
    }

    Command<Boolean> prepend(String key, V stored) {
        return store(key, MetaSet.Mode.PREPEND, item(stored, Duration.ZERO), ClientCommands::isDone);
    }

    Command<CasResult> cas(String key, V stored, long casUnique, Duration ttl) {
        CasValue.checkCasUnique(casUnique);
        return new MetaSet<>(key, MetaSet.Mode.SET, item(stored, ttl), casUnique, ClientCommands::casResult);
    }

    Command<Boolean> delete(String key) {
        return new MetaDelete<>(key, ClientCommands::isDone);
    }

    Command<OptionalLong> incr(String key, long delta) {
        return new MetaArithmetic<>(key, MetaArithmetic.Mode.INCREMENT, delta, null, AS_IT_IS);
    }

    Command<Long> incr(String key, long delta, long initial, Duration ttl) {
        return new MetaArithmetic<>(key, MetaArithmetic.Mode.INCREMENT, delta, initial(initial, ttl), NUMBER);
    }

    Command<OptionalLong> decr(String key, long delta) {
        return new MetaArithmetic<>(key, MetaArithmetic.Mode.DECREMENT, delta, null, AS_IT_IS);
    }

    Command<Long> decr(String key, long delta, long initial, Duration ttl) {
        return new MetaArithmetic<>(key, MetaArithmetic.Mode.DECREMENT, delta, initial(initial, ttl), NUMBER);
    }

    private static @Nullable Void nothing(StoreStatus status) {
        return null;
    }

    private static boolean isDone(StoreStatus status) {
        return status == StoreStatus.DONE;
    }

    private static CasResult casResult(StoreStatus status) {
        return switch (status) {
            case DONE -> CasResult.STORED;
            case EXISTS -> CasResult.EXISTS;
            case NOT_FOUND, NOT_STORED -> CasResult.NOT_FOUND;
        };
    }

    private <T> Command<T> store(String key, MetaSet.Mode mode, MetaSet.Item item, Function<StoreStatus, T> outcome) {
        return new MetaSet<>(key, mode, item, MetaSet.ANY_CAS, outcome);
    }

    private MetaArithmetic.Initial initial(long initial, Duration ttl) {
        return new MetaArithmetic.Initial(initial, exptime(ttl));
    }

    private MetaSet.Item item(V stored, Duration ttl) {
        int exptime = exptime(ttl);
        EncodedValue encoded = coder.encode(stored);
        return new MetaSet.Item(encoded.data(), encoded.flags(), exptime);
    }

    private int exptime(Duration ttl) {
        return coder.exptime(ttl);
    }
}
