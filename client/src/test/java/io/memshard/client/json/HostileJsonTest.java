// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.client.transcoder.ValueOracle;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Malicious JSON is refused, or is read at a cost in proportion to its size. */
class HostileJsonTest {

    /** Bytes of memory for each byte of JSON, in lists and maps of one entry. */
    private static final int OF_SMALL_OBJECTS = 64;

    record Prices(BigDecimal price, BigInteger count, Double ratio, List<Prices> more) {}

    private record Attack(String name, Class<?> type, String json, boolean isRead) {

        @Override
        public String toString() {
            return name;
        }
    }

    private enum Library {
        JACKSON_2,
        JACKSON_3;

        Transcoder<?> of(Class<?> type) {
            return this == JACKSON_2 ? Jackson2Transcoder.of(type) : Jackson3Transcoder.of(type);
        }
    }

    /** Decodes as a client does, which wraps what Jackson throws. */
    private record OfAClient<V>(Transcoder<V> json) implements Transcoder<V> {

        @Override
        public EncodedValue encode(V value) {
            return json.encode(value);
        }

        @Override
        public V decode(byte[] data, int flags) {
            return new EncodedValue(data, flags).decodeWith(json, "key", false);
        }
    }

    static Stream<Arguments> attacksOnEach() {
        return Arrays.stream(Library.values()).flatMap(library -> attacks().map(each -> Arguments.of(library, each)));
    }

    private static Attack attack(String name, Class<?> type, String json, boolean isRead) {
        return new Attack(name, type, json, isRead);
    }

    private static String member(String name, String value) {
        return "{\"" + name + "\":" + value + "}";
    }

    private static String list(int count, String element) {
        return "[" + (element + ",").repeat(count - 1) + element + "]";
    }

    /** Names with the same hash. */
    private static String colliding(int bits) {
        return IntStream.range(0, 1 << bits)
                .mapToObj(number -> IntStream.range(0, bits)
                        .mapToObj(bit -> (number >> bit & 1) == 0 ? "Aa" : "BB")
                        .collect(Collectors.joining("", "\"", "\":0")))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static Stream<Attack> attacks() {
        return Stream.of(
                attack("arrays in arrays", Object.class, "[".repeat(500_000), false),
                attack("objects in objects", Object.class, "{\"a\":".repeat(200_000), false),
                attack("arrays 400 deep", Object.class, "[".repeat(400) + "]".repeat(400), true),
                attack("empty arrays", Object.class, list(340_000, "[]"), true),
                attack("empty objects", Object.class, list(340_000, "{}"), true),
                attack("small objects", Object.class, list(110_000, "{\"a\":0}"), true),
                attack("zeros", Object.class, list(500_000, "0"), true),
                attack("zeros of a type", int[].class, list(500_000, "0"), true),
                attack("empty strings", Object.class, list(340_000, "\"\""), true),
                attack("a number of 500,000 digits", Prices.class, member("count", "9".repeat(500_000)), false),
                attack("a number with an exponent", Prices.class, member("count", "1e999999999"), false),
                attack("an integer of 1,000 digits", Prices.class, member("count", "9".repeat(1_000)), true),
                attack("fractions with exponents", BigDecimal[].class, list(100_000, "1e99999"), true),
                attack("a fraction with an exponent", Prices.class, member("price", "1e999999999"), true),
                attack("a ratio of many digits", Prices.class, member("ratio", "0." + "9".repeat(500_000)), false),
                attack("a string", Object.class, "\"" + "x".repeat(1_000_000) + "\"", true),
                attack("a name", Object.class, member("x".repeat(1_000_000), "0"), false),
                attack("names that collide", Map.class, colliding(12), true),
                attack("unknown names", Prices.class, list(1, member("unknown", "[]")), false),
                attack("a class by its name", Object.class, "{\"@class\":\"java.util.HashMap\"}", true),
                attack("no end", Object.class, "[", false),
                attack("no JSON", Object.class, "\u0000\u0001", false));
    }

    @ParameterizedTest
    @MethodSource("attacksOnEach")
    void jsonCostsInProportion(Library library, Attack attack) {
        byte[] data = attack.json.getBytes(StandardCharsets.UTF_8);
        ValueOracle.Outcome outcome = ValueOracle.decodeAttack(new OfAClient<>(library.of(attack.type)), data, 0);
        assertThat(outcome.isRead()).isEqualTo(attack.isRead);
        outcome.assertTakesNoMoreThan(ValueOracle.MIB + (attack.isRead ? OF_SMALL_OBJECTS : 10L) * data.length);
    }
}
