// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.FoundItems;
import io.memshard.client.protocol.KeysCommand;
import io.memshard.client.protocol.MetaGet;
import io.memshard.client.protocol.MetaMultiGet;
import io.memshard.client.protocol.wire.KeyRule;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

final class MultiGet<R> extends MultiCall<String, FoundItems<MultiGet.Stored>, MultiGetResult<R>>
        implements BiFunction<String, @Nullable Object, @Nullable R> {

    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Stored(byte[] data, int flags, long casUnique) {}

    record Read<R>(MetaGet.Wanted wanted, int exptime, MetaGet.Hit<R> hit) {}

    private static final MetaGet.Hit<Stored> AS_STORED = Stored::new;

    /** Limit of a request line. Some services refuse 16 KiB, and some versions of memcached refuse 64 KiB. */
    private static final int MAX_LINE_BYTES = 15_000;

    /** Key length up to which {@link KeysCommand#MAX_KEYS} keys fit into a line, even with 3 bytes per character. */
    private static final int SHORT = (MAX_LINE_BYTES / KeysCommand.MAX_KEYS - 1) / 3;

    private final Read<R> read;
    private final boolean hidesKeys;

    MultiGet(Calls calls, MultiKeys keys, Read<R> read, boolean hidesKeys) {
        super(calls, MetaMultiGet.operation(read.wanted, read.exptime), keys, MAX_LINE_BYTES);
        this.read = read;
        this.hidesKeys = hidesKeys;
    }

    @Override
    List<List<String>> unsplit() {
        return List.of(keys.stored());
    }

    @Override
    String key(String item) {
        return item;
    }

    @Override
    int requestBytes(String key) {
        return 1 + (key.length() <= SHORT ? 3 * SHORT : KeyRule.checkLength(key));
    }

    @Override
    Command<FoundItems<Stored>> command(Part<String> part) {
        return read.wanted == MetaGet.Wanted.VALUE && read.exptime == MetaGet.NO_TOUCH && !part.isRepeated()
                ? MetaMultiGet.ofValues(part.items(), AS_STORED)
                : new MetaMultiGet<>(part.items(), read.wanted, read.exptime, AS_STORED);
    }

    @Override
    @Nullable
    Part<String> take(Part<String> part, FoundItems<Stored> answer, Function<String, CommandContext> contexts) {
        answer.forEachHit(this::record);
        answer.failures().forEach(this::record);
        answer.errors().forEach((key, error) -> record(key, error.toException(contexts.apply(key))));
        return answer.unsure().isEmpty() ? null : new Part<>(answer.unsure(), true);
    }

    @Override
    MultiGetResult<R> result() {
        return keys.result(this);
    }

    @Override
    public @Nullable R apply(String key, @Nullable Object outcome) {
        MemcachedException failure;
        try {
            if (outcome instanceof Stored stored) {
                return read.hit.result(stored.data, stored.flags, stored.casUnique);
            }
            failure = (MemcachedException) outcome;
        } catch (MemcachedDecodingException e) {
            failure = e.under(key, hidesKeys);
        }
        if (failure != null && !calls.failurePolicy.isMiss(failure)) {
            throw failure;
        }
        return null;
    }
}
