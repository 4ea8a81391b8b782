// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.json;

import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.lang.reflect.Type;
import java.math.BigInteger;
import java.util.Objects;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.deser.jdk.NumberDeserializers;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * Values as JSON by Jackson 3, flags 0. Needs {@code tools.jackson.core:jackson-databind} on the class path.
 *
 * <p>The settings of the mapper hold, and so do its limits on what is read: depth, lengths of names, numbers and
 * strings. The mapper is read once, here. Class names in values are followed only if the mapper or the type says so.
 *
 * <p>Threading: immutable.
 *
 * <p>Failure: as {@link Transcoder}.
 */
@SuppressWarnings("exports") // Whoever calls this has the library.
public final class Jackson3Transcoder<V> implements Transcoder<V> {

    private final ObjectWriter writer;
    private final ObjectReader reader;

    private Jackson3Transcoder(ObjectMapper mapper, JavaType type) {
        this.writer = mapper.writerFor(type);
        this.reader = mapper.readerFor(type);
    }

    /**
     * Values of {@code type}, by a mapper with Jackson's own settings. It refuses a {@link BigInteger} that is written
     * with a fraction or an exponent, which takes 5,000 times its bytes to read.
     */
    public static <V> Jackson3Transcoder<V> of(Class<V> type) {
        return of(Own.MAPPER, type);
    }

    /** Made when it is first used: a mapper of one's own may be all that is. */
    private static final class Own {

        static final JsonMapper MAPPER = JsonMapper.builder()
                .addModule(new SimpleModule().addDeserializer(BigInteger.class, new Integers()))
                .build();
    }

    private static final class Integers extends NumberDeserializers.BigIntegerDeserializer {

        @Override
        public BigInteger deserialize(JsonParser parser, DeserializationContext context) {
            return parser.hasToken(JsonToken.VALUE_NUMBER_FLOAT)
                    ? context.reportInputMismatch(this, "a BigInteger with a fraction or an exponent")
                    : super.deserialize(parser, context);
        }
    }

    /** Values of {@code type}, by {@code mapper}. */
    public static <V> Jackson3Transcoder<V> of(ObjectMapper mapper, Class<V> type) {
        return new Jackson3Transcoder<>(mapper, mapper.constructType(type));
    }

    /** Values of a generic type, by {@code mapper}: {@code new TypeReference<List<User>>() {}}. */
    public static <V> Jackson3Transcoder<V> of(ObjectMapper mapper, TypeReference<V> type) {
        return new Jackson3Transcoder<>(mapper, mapper.constructType(type));
    }

    /** Values of {@code type}, such as a {@link JavaType}, by {@code mapper}. It must be the type that is called V. */
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
