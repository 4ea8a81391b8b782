// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.memshard.client.protocol.wire.KeyRule;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyRuleTest {

    private static final KeyRule APP = KeyRule.NONE.withPrefix("app:");
    private static final KeyRule HASHING = APP.hashing();

    @Test
    void withoutARuleTheKeyIsTheSameObject() {
        String key = new String("key");
        assertThat(KeyRule.NONE.stored(key)).isSameAs(key);
    }

    @Test
    void prefixesStandOneBehindTheOther() {
        assertThat(APP.stored("key")).isEqualTo("app:key");
        assertThat(APP.withPrefix("v2:").stored("key")).isEqualTo("app:v2:key");
        assertThat(HASHING.stored("key")).isEqualTo("app:key");
    }

    /** {@code printf 'app:a b' | openssl dgst -sha256 -binary | basenc --base64url}. */
    @Test
    void aHashedKeyHasItsHeadAndTheSha256OfAllOfIt() {
        assertThat(HASHING.stored("a b")).isEqualTo("app:a_b#9YqpJzomyxEuT8pCge3QYFT2JLmp_xuYwFVzP7sBXbM");
        assertThat(HASHING.stored("k".repeat(300))).startsWith("app:" + "k".repeat(24) + "#");
    }

    @Test
    void noTwoKeysMeet() {
        String hashed = KeyRule.NONE.hashing().stored("a b");
        List<String> keys = Stream.of(
                        "a b", "a_b", "a\tb", hashed, "k".repeat(251), "k".repeat(252), "k".repeat(250), "k".repeat(24))
                .toList();
        assertThat(keys.stream().map(KeyRule.NONE.hashing()::stored))
                .doesNotHaveDuplicates()
                .allSatisfy(KeyRule::checkLength);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\u20ac", "\ud83d\ude00", "k"})
    void aHashedKeyIsAKeyHoweverLongItsPartsAre(String part) {
        KeyRule longest =
                KeyRule.NONE.withPrefix("p".repeat(KeyRule.MAX_PREFIX_BYTES)).hashing();
        for (int shift = 0; shift < 2; shift++) {
            KeyRule.checkLength(longest.stored("k".repeat(shift) + part.repeat(200)));
        }
    }

    @Test
    void keyThatOnlyItsPrefixMakesTooLongIsHashed() {
        String key = "k".repeat(250);
        assertThat(KeyRule.NONE.hashing().stored(key)).isEqualTo(key);
        assertThat(HASHING.stored(key)).contains("#");
    }

    @Test
    void emptyKeysAndHalvesOfPairsStayIllegal() {
        assertThatIllegalArgumentException().isThrownBy(() -> APP.stored("")).withMessageContaining("key is empty");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HASHING.stored("\ud83d".repeat(300)))
                .withMessageContaining("half a surrogate pair");
        assertThatNullPointerException().isThrownBy(() -> APP.stored(null)).withMessage("key is null");
    }

    @Test
    void prefixesThatNoKeyHasAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyRule.NONE.withPrefix("a b"))
                .withMessageContaining("keyPrefix has a space");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyRule.NONE.withPrefix("p".repeat(101)))
                .withMessage("keyPrefix has 101 bytes, but must have at most 100");
    }

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
    void illegalKeyIsRejectedWithLengthOrPosition(String key, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyRule.checkLength(key))
                .withMessageContaining(message);
    }
}
