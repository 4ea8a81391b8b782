// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoutedLocatorTest {

    @ParameterizedTest
    @CsvSource({
        "user:{42}:name, 42",
        "{42}, 42",
        "a{}b, a{}b",
        "a{b, a{b",
        "a}b, a}b",
        "}a{b}, b",
        "a{b}c{d}, b",
        "a{{b}}, {b",
        "plain, plain"
    })
    void hashTagIsTheTextBetweenItsCharacters(String key, String part) {
        assertThat(RoutedLocator.hashTag("{}").apply(key)).isEqualTo(part);
    }

    @Test
    void hashTagMayHaveTheSameCharacterTwice() {
        assertThat(RoutedLocator.hashTag("$$").apply("a$b$c")).isEqualTo("b");
        assertThat(RoutedLocator.hashTag("$$").apply("a$b")).isEqualTo("a$b");
    }

    @ParameterizedTest
    @CsvSource({"user:42|#|name, user:42", "a|#|b|#|c, a", "a|#b, a|#b", "|#|a, ''"})
    void hashStopEndsThePart(String key, String part) {
        assertThat(RoutedLocator.before("|#|", 0, "", "").apply(key)).isEqualTo(part);
    }

    @ParameterizedTest
    @CsvSource({"user:42:name, user", "plain, plain", ":a, :a"})
    void delimiterEndsThePartUnlessThatIsEmpty(String key, String part) {
        assertThat(RoutedLocator.before(":", 1, "", "").apply(key)).isEqualTo(part);
    }

    @Test
    void keysWithAnEqualPartAreOnOneServer() {
        ServerLocator locator = Ring.jump().routedBy(key -> key.substring(0, 3)).locator(RingFixture.mixedServers(50));
        int server = locator.locate("abc");
        for (int i = 0; i < 100; i++) {
            assertThat(locator.locate("abc" + i)).isEqualTo(server);
            assertThat(locator.locate("abc" + i, index -> true)).isEqualTo(server);
        }
        assertThat(locator.servers()).hasSize(50);
    }

    @Test
    void settingsThatMeanNothingAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Ring.jump().routedByHashTag("{"))
                .withMessage("hash tag is \"{\", but must be the two characters around the hashed part of a key,"
                        + " such as {}");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Ring.jump().routedByHashStop(""))
                .withMessage("hash stop is empty: set the text that follows the hashed part of a key, such as |#|");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Ring.jump().routedByPartBefore(""))
                .withMessage("delimiter is empty: set the text that follows the hashed part of a key, such as \":\"");
    }
}
