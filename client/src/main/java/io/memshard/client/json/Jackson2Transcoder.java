// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.json;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Type;
import java.util.Objects;

/**
 * Transcoder that stores values as JSON with flags 0, by means of Jackson 2. Requires
 * {@code com.fasterxml.jackson.core:jackson-databind} on the class path.
 *
 * <p>Same as {@link Jackson3Transcoder} in all other respects.
 *
 * <p>Failure: same as {@link Transcoder}. An exception of Jackson is the cause of an {@link UncheckedIOException}.
 */
@SuppressWarnings("exports") // Callers of this class have the library.
public final class Jackson2Transcoder<V> implements Transcoder<V> {

    private final ObjectWriter writer;
    private final ObjectReader reader;

    private Jackson2Transcoder(ObjectMapper mapper, JavaType type) {
        this.writer = mapper.writerFor(type);
        this.reader = mapper.readerFor(type)
                .without(
                        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                        DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);
        checkReadable(type);
    }

    private void checkReadable(JavaType type) {
        for (JavaType part = type; part != null; part = part.getContentType()) {
            try {
                Object unused =
                        reader.forType(part).readValue(part.isCollectionLikeType() || part.isArrayType() ? "[]" : "{}");
            } catch (InvalidDefinitionException e) {
                throw new IllegalArgumentException(
                        "Jackson cannot create values of " + type.toCanonical() + ": " + e.getOriginalMessage(), e);
            } catch (IOException | RuntimeException e) { // Other JSON can be read.
            }
        }
    }

    /** Same as {@link Jackson3Transcoder#of(Class)}. */
    public static <V> Jackson2Transcoder<V> of(Class<V> type) {
        return of(Defaults.MAPPER, type);
    }

    /** Same as {@link #of(Class)}, for a generic type. */
    public static <V> Jackson2Transcoder<V> of(TypeReference<V> type) {
        return of(Defaults.MAPPER, type);
    }

    private static final class Defaults {

        static final JsonMapper MAPPER = JsonMapper.builder()
                .findAndAddModules()
                .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                .enable(SerializationFeature.WRITE_DATES_WITH_ZONE_ID)
                .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                .build();
    }

    /** Returns a transcoder for {@code type}, which must be {@code V}, with the mapper of {@link #of(Class)}. */
    public static <V> Jackson2Transcoder<V> of(Type type) {
        return of(Defaults.MAPPER, type);
    }

    /** Returns a transcoder for values of {@code type}, with {@code mapper}. */
    public static <V> Jackson2Transcoder<V> of(ObjectMapper mapper, Class<V> type) {
        return new Jackson2Transcoder<>(mapper, mapper.constructType(type));
    }

    /** Returns a transcoder for values of a generic type, with {@code mapper}. */
    public static <V> Jackson2Transcoder<V> of(ObjectMapper mapper, TypeReference<V> type) {
        return new Jackson2Transcoder<>(mapper, mapper.constructType(type));
    }

    /** Returns a transcoder for values of {@code type}, which must be {@code V}, with {@code mapper}. */
    public static <V> Jackson2Transcoder<V> of(ObjectMapper mapper, Type type) {
        return new Jackson2Transcoder<>(mapper, mapper.constructType(type));
    }

    @Override
    public EncodedValue encode(V value) {
        Objects.requireNonNull(value, "value is null");
        try {
            return new EncodedValue(writer.writeValueAsBytes(value), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public V decode(byte[] data, int flags) {
        Transcoder.checkNoFlags("Jackson2Transcoder", flags);
        try {
            return reader.readValue(data);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return "JSON by Jackson 2";
    }
}
