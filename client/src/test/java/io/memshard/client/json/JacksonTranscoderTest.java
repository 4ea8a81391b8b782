// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.math.BigInteger;
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
    void readsWhatItWrote(Transcoder<Person> json) {
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

    @Test
    void largeIntegersAreReadAsTheyWereWritten() {
        BigInteger[] large = {BigInteger.TEN.pow(900), BigInteger.ONE.negate(), BigInteger.ZERO};
        String json = "[1" + "0".repeat(900) + ",-1,0]";
        for (Transcoder<BigInteger[]> each :
                List.of(Jackson2Transcoder.of(BigInteger[].class), Jackson3Transcoder.of(BigInteger[].class))) {
            EncodedValue encoded = each.encode(large);
            assertThat(new String(encoded.data(), UTF_8)).isEqualTo(json);
            assertThat(each.decode(encoded.data(), 0)).containsExactly(large);
        }
    }

    @ParameterizedTest
    @MethodSource("ofPersons")
    void aWrittenNullIsReadAsNull(Transcoder<Person> json) {
        assertThat(json.decode("null".getBytes(UTF_8), 0)).isNull();
    }

    @Test
    void whatIsNoJsonFailsWithTheReasonOfJackson() {
        EncodedValue broken = new EncodedValue(new byte[] {'{'}, 0);
        assertThatExceptionOfType(MemcachedDecodingException.class)
                .isThrownBy(() -> broken.decodeWith(Jackson3Transcoder.of(Person.class), "key"))
                .havingRootCause()
                .withMessage("tools.jackson.core.exc.UnexpectedEndOfInputException");
        assertThatExceptionOfType(MemcachedDecodingException.class)
                .isThrownBy(() -> broken.decodeWith(Jackson2Transcoder.of(Person.class), "key"))
                .havingRootCause()
                .withMessage("com.fasterxml.jackson.core.io.JsonEOFException");
    }

    @ParameterizedTest
    @MethodSource("ofPersons")
    void compressedValuesAreNotTakenForJson(Transcoder<Person> json) {
        assertThatExceptionOfType(MemcachedDecodingException.class)
                .isThrownBy(() -> json.decode(json.encode(ADA).data(), 2))
                .withMessageContainingAll("Transcoder does not write", "Compression.gzip().around(...) reads it");
    }
}
