// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.client.protocol.wire.KeyRule;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class KeyTest {

    static Stream<Arguments> keys() {
        return Stream.of(
                Arguments.of("a", 1),
                Arguments.of("user:1", 6),
                Arguments.of("x".repeat(250), 250),
                Arguments.of("!\"#$%&'()*+,-./~", 16),
                Arguments.of("\u00fc", 2),
                Arguments.of("\u20ac".repeat(83), 249),
                Arguments.of("\u20ac".repeat(83) + "x", 250),
                Arguments.of("\ud83d\ude00", 4),
                Arguments.of("\u0080", 2),
                Arguments.of("\u00a0", 2));
    }

    @ParameterizedTest
    @MethodSource("keys")
    void lengthIsInBytesOfUtf8(String key, int bytes) {
        assertThat(KeyRule.checkLength(key)).isEqualTo(bytes);
    }

    static Stream<Arguments> badKeys() {
        return Stream.of(
                Arguments.of("", "key is empty"),
                Arguments.of("x".repeat(251), "key has 251 bytes, but must have 1 to 250"),
                Arguments.of("\u20ac".repeat(84), "key has 252 bytes"),
                Arguments.of("a b", "a space (0x20) at position 1 of 3"),
                Arguments.of(" a", "a space (0x20) at position 0 of 2"),
                Arguments.of("a\tb", "a control character (0x09) at position 1 of 3"),
                Arguments.of("a\r\nflush_all", "a control character (0x0d) at position 1 of 12"),
                Arguments.of("a\n", "a control character (0x0a) at position 1 of 2"),
                Arguments.of("ab\0", "a control character (0x00) at position 2 of 3"),
                Arguments.of("ab\u007f", "a control character (0x7f) at position 2 of 3"),
                Arguments.of("a\ud80a", "half a surrogate pair (0xd80a) at position 1 of 2"),
                Arguments.of("\udc0d\ud80a", "half a surrogate pair (0xdc0d) at position 0 of 2"));
    }

    @ParameterizedTest
    @MethodSource("badKeys")
    void whatIsNotAKeyIsRejectedWithLengthOrPosition(String key, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyRule.checkLength(key))
                .withMessageContaining(message);
    }
}
