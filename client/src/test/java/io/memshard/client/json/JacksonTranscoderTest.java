// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.lang.reflect.Type;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

class JacksonTranscoderTest {

    record Person(String firstName, List<Integer> marks) {}

    private static final Person ADA = new Person("Ada", List.of(1, 2));

    private static final ObjectMapper MAPPER_2 =
            new ObjectMapper().setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);

    private static final JsonMapper MAPPER_3 = JsonMapper.builder()
            .propertyNamingStrategy(tools.jackson.databind.PropertyNamingStrategies.SNAKE_CASE)
            .build();

    private static <V> void reads(Transcoder<V> transcoder, V value, String json) {
        EncodedValue encoded = transcoder.encode(value);
        assertThat(new String(encoded.data(), UTF_8)).isEqualTo(json);
        assertThat(encoded.flags()).isZero();
        assertThat(transcoder.decode(encoded.data(), 0)).isEqualTo(value);
    }

    static Stream<Named<Transcoder<Person>>> ofPersons() {
        return Stream.of(Jackson2Transcoder.of(Person.class), Jackson3Transcoder.of(Person.class))
                .map(each -> Named.of(each.toString(), each));
    }

    @ParameterizedTest
    @MethodSource("ofPersons")
    void writtenValuesAreReadBack(Transcoder<Person> json) {
        reads(json, ADA, "{\"firstName\":\"Ada\",\"marks\":[1,2]}");
        assertThatNullPointerException().isThrownBy(() -> json.encode(null)).withMessage("value is null");
    }

    @Test
    void theMapperOfTheCallerIsUsed() {
        String snake = "{\"first_name\":\"Ada\",\"marks\":[1,2]}";
        reads(Jackson2Transcoder.of(MAPPER_2, Person.class), ADA, snake);
        reads(Jackson3Transcoder.of(MAPPER_3, Person.class), ADA, snake);
    }

    @Test
    void genericTypesAreReadAsTheirElements() {
        Map<String, List<Person>> value = Map.of("all", List.of(ADA));
        String json = "{\"all\":[{\"first_name\":\"Ada\",\"marks\":[1,2]}]}";
        reads(Jackson2Transcoder.of(MAPPER_2, new com.fasterxml.jackson.core.type.TypeReference<>() {}), value, json);
        reads(Jackson3Transcoder.of(MAPPER_3, new tools.jackson.core.type.TypeReference<>() {}), value, json);
        String byDefault = "{\"all\":[{\"firstName\":\"Ada\",\"marks\":[1,2]}]}";
        reads(Jackson2Transcoder.of(new com.fasterxml.jackson.core.type.TypeReference<>() {}), value, byDefault);
        reads(Jackson3Transcoder.of(new tools.jackson.core.type.TypeReference<>() {}), value, byDefault);

        String list = "[{\"first_name\":\"Ada\",\"marks\":[1,2]}]";
        Transcoder<List<Person>> list2 = Jackson2Transcoder.of(
                MAPPER_2, MAPPER_2.getTypeFactory().constructCollectionType(List.class, Person.class));
        Transcoder<List<Person>> list3 = Jackson3Transcoder.of(
                MAPPER_3, MAPPER_3.getTypeFactory().constructCollectionType(List.class, Person.class));
        reads(list2, List.of(ADA), list);
        reads(list3, List.of(ADA), list);
    }

    @ParameterizedTest
    @MethodSource("ofPersons")
    void aWrittenNullIsReadAsNull(Transcoder<Person> json) {
        assertThat(json.decode("null".getBytes(UTF_8), 0)).isNull();
    }

    @ParameterizedTest
    @MethodSource("ofPersons")
    void compressedValuesAreNotTakenForJson(Transcoder<Person> json) {
        assertThatExceptionOfType(MemcachedDecodingException.class)
                .isThrownBy(() -> json.decode(json.encode(ADA).data(), 2))
                .withMessageContainingAll("Transcoder does not write", "Compression.gzip().around(...) reads it");
    }

    record Versioned(String name, int stock, List<String> tags) {}

    /** As of an application's own mapper, which is strict. */
    static Stream<Named<Transcoder<Versioned>>> ofEveryMapper() {
        ObjectMapper strict2 = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);
        JsonMapper strict3 = JsonMapper.builder()
                .enable(tools.jackson.databind.DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build();
        return Stream.of(
                Named.of("2", Jackson2Transcoder.of(Versioned.class)),
                Named.of("3", Jackson3Transcoder.of(Versioned.class)),
                Named.of("strict 2", Jackson2Transcoder.of(strict2, Versioned.class)),
                Named.of("strict 3", Jackson3Transcoder.of(strict3, Versioned.class)));
    }

    @ParameterizedTest
    @MethodSource("ofEveryMapper")
    void otherVersionsOfAClassAreReadByOneRule(Transcoder<Versioned> json) {
        Map<String, Versioned> readable = Map.of(
                "{\"name\":\"a\",\"stock\":1,\"tags\":[],\"added\":{\"x\":[1]}}", new Versioned("a", 1, List.of()),
                "{\"name\":\"a\",\"tags\":[\"b\"]}", new Versioned("a", 0, List.of("b")),
                "{\"name\":null,\"stock\":null}", new Versioned(null, 0, null),
                "{}", new Versioned(null, 0, null));
        readable.forEach((text, value) ->
                assertThat(json.decode(text.getBytes(UTF_8), 0)).isEqualTo(value));
        for (String text : List.of("{\"stock\":\"many\"}", "{\"tags\":{}}", "[]", "{\"name\":{}}", "7")) {
            assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> json.decode(text.getBytes(UTF_8), 0));
        }
    }

    /** Has no creator that Jackson finds. */
    static final class Answer {

        private final int status;

        Answer(int status, boolean unused) {
            this.status = status;
        }

        public int getStatus() {
            return status;
        }
    }

    interface Shape {}

    static Stream<Type> unreadable() {
        return Stream.of(
                Answer.class,
                Shape.class,
                new TypeReference<Map<Person, String>>() {}.getType(),
                new TypeReference<List<Answer>>() {}.getType(),
                new TypeReference<Map<String, Shape>>() {}.getType(),
                Answer[].class);
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    void typeOfWhichNothingCanBeCreatedIsRefused(Type type) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Jackson2Transcoder.of(type))
                .withMessageContaining("Jackson cannot create values of ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Jackson3Transcoder.of(type))
                .withMessageContaining("Jackson cannot create values of ");
    }

    record Times(ZonedDateTime zoned, OffsetDateTime offset, Instant instant, Date date) {}

    @Test
    void mapperOfOurOwnKeepsTimes() {
        Times times = new Times(
                ZonedDateTime.of(2026, 11, 28, 12, 0, 0, 123_456_789, ZoneId.of("Asia/Tokyo")),
                OffsetDateTime.of(2026, 11, 28, 12, 0, 0, 1, ZoneOffset.ofHours(-3)),
                Instant.EPOCH.plusNanos(1),
                new Date(1));

        Transcoder<Times> json = Jackson3Transcoder.of(Times.class);
        EncodedValue encoded = json.encode(times);
        assertThat(json.decode(encoded.data(), encoded.flags())).isEqualTo(times);
    }
}
