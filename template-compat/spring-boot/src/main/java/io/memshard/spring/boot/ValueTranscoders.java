// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import io.memshard.client.transcoder.CompatibleTranscoder;
import io.memshard.client.transcoder.Compression;
import io.memshard.client.transcoder.JavaSerialization;
import io.memshard.client.transcoder.Transcoder;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Factory of the transcoders that properties describe.
 *
 * <p>Threading: immutable.
 */
public final class ValueTranscoders {

    private final @Nullable JsonTranscoders json;

    /**
     * Creates a factory.
     *
     * @param json transcoders for JSON; null if no JSON library is present
     */
    ValueTranscoders(@Nullable JsonTranscoders json) {
        this.json = json;
    }

    /** Returns whether values can be stored as JSON. */
    public boolean hasJson() {
        return json != null;
    }

    /**
     * Returns a transcoder for cached values of a type, as JSON.
     *
     * @throws IllegalStateException if no library for JSON is present
     */
    public Transcoder<Object> json(Type type) {
        return json().ofCachedType().apply(type);
    }

    /**
     * Returns a transcoder of the configured kind for cached values.
     *
     * @param prefix prefix of the properties, such as {@code memcached.cache.serializer}, for exception messages
     */
    public Transcoder<Object> cached(String prefix, MemcachedProperties.Serializer serializer) {
        return serializer.effectiveType() == SerializerType.JSON
                ? Settings.reading(prefix, serializer, given -> json(type(prefix + ".json-type", given.jsonType())))
                : of(prefix, serializer);
    }

    private JsonTranscoders json() {
        if (json == null) {
            throw new IllegalStateException(
                    "JSON needs Jackson 3 or 2: add tools.jackson.core:jackson-databind, or spring-boot-starter-json");
        }
        return json;
    }

    private Type type(String property, @Nullable String name) {
        try {
            return name == null ? Object.class : json().typeNamed().apply(name);
        } catch (IllegalArgumentException e) {
            throw new MemcachedPropertyException(
                    property,
                    "is \"" + name
                            + "\", which is not a type: write a class, as in com.example.Book, or a generic type, as"
                            + " in java.util.List<com.example.Book>",
                    e);
        }
    }

    /**
     * Returns a transcoder of the configured kind, for values of any type that this kind supports.
     *
     * @param prefix prefix of the properties, such as {@code memcached.serializer}, for exception messages
     */
    @SuppressWarnings("unchecked") // The transcoder rejects a value of another type.
    public Transcoder<Object> of(String prefix, MemcachedProperties.Serializer serializer) {
        List<String> allowed = serializer.allowedClasses();
        return (Transcoder<Object>) Settings.reading(prefix, serializer.effectiveType(), type -> switch (type) {
            case STRING -> Transcoder.utf8();
            case BYTES -> Transcoder.bytes();
            case SPYMEMCACHED -> allowing(allowed, CompatibleTranscoder.spymemcached());
            case XMEMCACHED -> allowing(allowed, CompatibleTranscoder.xmemcached());
            case WHALIN -> allowing(allowed, CompatibleTranscoder.whalin());
            case JSON -> json().ofType().apply(type(prefix + ".json-type", serializer.jsonType()));
        });
    }

    private static Transcoder<Object> allowing(@Nullable List<String> classes, CompatibleTranscoder transcoder) {
        return classes == null
                ? transcoder
                : transcoder.javaSerialization(JavaSerialization.allowing(classes.toArray(String[]::new))
                        .andJdkData());
    }

    /**
     * Returns a transcoder that compresses the output of another transcoder.
     *
     * @param prefix prefix of the properties, such as {@code memcached.compression}
     */
    public <V> Transcoder<V> compressed(
            String prefix, MemcachedProperties.Compression compression, Transcoder<V> transcoder) {
        CompressionType type = Objects.requireNonNullElse(compression.type(), CompressionType.NONE);
        return Settings.reading(prefix, type, given -> switch (given) {
            case NONE -> transcoder;
            case GZIP -> around(Compression.gzip(), compression, transcoder);
            case ZLIB -> around(Compression.zlib(), compression, transcoder);
            case ZSTD -> around(Compression.zstd(), compression, transcoder);
        });
    }

    private static <V> Transcoder<V> around(
            Compression compression, MemcachedProperties.Compression properties, Transcoder<V> transcoder) {
        if (transcoder instanceof CompatibleTranscoder compatible) {
            // This transcoder marks compressed values by the same flag, and applies the compression itself.
            return asOf(compatible.compression(limited(compression, properties)));
        }
        return limited(compression, properties).around(transcoder);
    }

    @SuppressWarnings("unchecked") // V is Object: this class has no other transcoders.
    private static <V> Transcoder<V> asOf(CompatibleTranscoder transcoder) {
        return (Transcoder<V>) transcoder;
    }

    private static Compression limited(Compression compression, MemcachedProperties.Compression properties) {
        return compression.thresholdBytes(Settings.bytes(properties.threshold()));
    }
}
