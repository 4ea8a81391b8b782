// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.json;

import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.lang.reflect.Type;
import java.util.Objects;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Transcoder that stores values as JSON with flags 0, by means of Jackson 3. Requires
 * {@code tools.jackson.core:jackson-databind} on the class path.
 *
 * <p>A new transcoder copies the mapper's settings, including the limits of depth and length. Class names in values are
 * resolved only if the mapper or the type permits class names.
 *
 * <p>A transcoder can read values written with another version of their class. Regardless of the mapper's settings, an
 * unknown property is ignored, and a missing or null property gets the default of its Java type. The methods that
 * create a transcoder throw an {@link IllegalArgumentException} for a type that Jackson cannot deserialize.
 *
 * <p>Threading: immutable.
 *
 * <p>Failure: same as {@link Transcoder}.
 */
@SuppressWarnings("exports") // Callers of this class have the library.
public final class Jackson3Transcoder<V> implements Transcoder<V> {

    private final ObjectWriter writer;
    private final ObjectReader reader;

    private Jackson3Transcoder(ObjectMapper mapper, JavaType type) {
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
            } catch (RuntimeException e) { // Other JSON can be read.
            }
        }
    }

    /**
     * Returns a transcoder for values of {@code type}, with a mapper that this class creates. The mapper has Jackson's
     * default settings and the modules on the class path, keeps time zones, and writes times as text.
     */
    public static <V> Jackson3Transcoder<V> of(Class<V> type) {
        return of(Defaults.MAPPER, type);
    }

    /**
     * Returns a transcoder for values of a generic type, such as {@code new TypeReference<List<User>>() {}}, with the
     * mapper of {@link #of(Class)}.
     */
    public static <V> Jackson3Transcoder<V> of(TypeReference<V> type) {
        return of(Defaults.MAPPER, type);
    }

    private static final class Defaults {

        static final JsonMapper MAPPER = JsonMapper.builder()
                .findAndAddModules()
                .enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
                .disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                .build();
    }

    /** Returns a transcoder for {@code type}, which must be {@code V}, with the mapper of {@link #of(Class)}. */
    public static <V> Jackson3Transcoder<V> of(Type type) {
        return of(Defaults.MAPPER, type);
    }

    /** Returns a transcoder for values of {@code type}, with {@code mapper}. */
    public static <V> Jackson3Transcoder<V> of(ObjectMapper mapper, Class<V> type) {
        return new Jackson3Transcoder<>(mapper, mapper.constructType(type));
    }

    /** Returns a transcoder for values of a generic type, with {@code mapper}. */
    public static <V> Jackson3Transcoder<V> of(ObjectMapper mapper, TypeReference<V> type) {
        return new Jackson3Transcoder<>(mapper, mapper.constructType(type));
    }

    /**
     * Returns a transcoder for {@code type}, such as a {@link JavaType}, with {@code mapper}. The type must be
     * {@code V}.
     */
    public static <V> Jackson3Transcoder<V> of(ObjectMapper mapper, Type type) {
        return new Jackson3Transcoder<>(mapper, mapper.constructType(type));
    }

    @Override
    public EncodedValue encode(V value) {
        Objects.requireNonNull(value, "value is null");
        return new EncodedValue(writer.writeValueAsBytes(value), 0);
    }

    @Override
    public V decode(byte[] data, int flags) {
        Transcoder.checkNoFlags("Jackson3Transcoder", flags);
        return reader.readValue(data);
    }

    @Override
    public String toString() {
        return "JSON by Jackson 3";
    }
}
