// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import io.memshard.client.transcoder.CompatibleTranscoder;
import io.memshard.client.transcoder.Compression;
import io.memshard.client.transcoder.JavaSerialization;
import io.memshard.client.transcoder.Transcoder;
import java.lang.reflect.Type;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Factory of transcoders from properties.
 *
 * <p>Threading: immutable.
 */
public final class ValueTranscoders {

    private final @Nullable Json json;

    ValueTranscoders(@Nullable Json json) {
        this.json = json;
    }

    /** JSON transcoders. Caches use a separate mapper, because the application's mapper may omit data. */
    record Json(
            Function<Type, Transcoder<Object>> ofType,
            Function<Type, Transcoder<Object>> ofCachedType,
            Function<String, Type> typeNamed) {}

    /** Returns whether a library for JSON is present. */
    public boolean hasJson() {
        return json != null;
    }

    /**
     * Returns a transcoder that caches values of a type as JSON.
     *
     * @throws IllegalStateException if no library for JSON is present
     */
    public Transcoder<Object> json(Type type) {
        return json().ofCachedType().apply(type);
    }

    private Json json() {
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
     * Returns the transcoder that {@code serializer} configures.
     *
     * @param prefix prefix of the properties, such as {@code memcached.serializer}, for exception messages
     * @param isCached true for the values of caches, false for the values of templates
     */
    @SuppressWarnings("unchecked") // The transcoder rejects a value of another type.
    public Transcoder<Object> of(String prefix, MemcachedProperties.Serializer serializer, boolean isCached) {
        return (Transcoder<Object>) Settings.<Transcoder<?>>reading(prefix, () -> switch (serializer.effectiveType()) {
            case STRING -> Transcoder.utf8();
            case BYTES -> Transcoder.bytes();
            case SPYMEMCACHED -> allowing(serializer, CompatibleTranscoder.spymemcached());
            case XMEMCACHED -> allowing(serializer, CompatibleTranscoder.xmemcached());
            case WHALIN -> allowing(serializer, CompatibleTranscoder.whalin());
            case JSON ->
                (isCached ? json().ofCachedType() : json().ofType())
                        .apply(type(prefix + ".json-type", serializer.jsonType()));
        });
    }

    private static CompatibleTranscoder allowing(
            MemcachedProperties.Serializer serializer, CompatibleTranscoder transcoder) {
        List<String> classes = serializer.allowedClasses();
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
    @SuppressWarnings("unchecked") // V is Object if the transcoder is compatible with another client.
    public <V> Transcoder<V> compressed(
            String prefix, MemcachedProperties.Compression properties, Transcoder<V> transcoder) {
        return Settings.reading(prefix, () -> {
            Compression compression = switch (properties.type()) {
                case NONE -> null;
                case GZIP -> Compression.gzip();
                case ZLIB -> Compression.zlib();
                case ZSTD -> Compression.zstd();
            };
            if (compression == null) {
                return transcoder;
            }
            Compression limited = compression.thresholdBytes(Settings.bytes(properties.threshold()));
            // A compatible transcoder compresses values itself, and sets the flag that the other client uses.
            return transcoder instanceof CompatibleTranscoder compatible
                    ? (Transcoder<V>) compatible.compression(limited)
                    : limited.around(transcoder);
        });
    }
}
