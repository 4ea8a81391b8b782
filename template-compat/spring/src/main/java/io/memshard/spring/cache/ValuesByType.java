// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/** Transcoder for calls that specify no type; thread-safe. Uses the first declared type that preserves the value. */
final class ValuesByType implements Transcoder<Object> {

    private final Transcoder<Object> others;
    private final Function<? super Type, ? extends Transcoder<?>> transcoders;
    private final Supplier<? extends Collection<Type>> declared;
    private final Map<String, CacheValues> known = new ConcurrentHashMap<>();

    ValuesByType(
            Transcoder<Object> others,
            Function<? super Type, ? extends Transcoder<?>> transcoders,
            Supplier<? extends Collection<Type>> declared) {
        this.others = others;
        this.transcoders = transcoders;
        this.declared = declared;
    }

    /** Returns the transcoder of a type. From then on, {@link #decode} accepts entries of this type. */
    CacheValues of(Type type) {
        return known.computeIfAbsent(
                type.getTypeName(), name -> new CacheValues(new TypedValues(transcoders.apply(type), type)));
    }

    @Override
    public EncodedValue encode(Object value) {
        RuntimeException refusal = null;
        for (Type type : declared.get()) {
            if (ResolvableType.forType(type).resolve(Object.class).isInstance(value)) {
                try {
                    return of(type).encodeChecked(value);
                } catch (RuntimeException e) {
                    refusal = e;
                }
            }
        }
        try {
            return others.encode(value);
        } catch (IllegalArgumentException e) {
            throw refusal == null ? e : refusal;
        }
    }

    @Override
    public Object decode(byte[] data, int flags) {
        String name = TypedValues.typeName(data, flags);
        if (name == null) {
            return others.decode(data, flags);
        }
        CacheValues values = known.get(name);
        return values != null
                ? values.decode(data, flags)
                : of(declared(name, flags)).decode(data, flags);
    }

    private Type declared(String name, int flags) {
        return declared.get().stream()
                .filter(type -> type.getTypeName().equals(name))
                .findFirst()
                .orElseThrow(() -> new MemcachedDecodingException(
                        "the entry is of a type that no cached method declares", flags, (@Nullable Throwable) null));
    }
}
