// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NumbersTest {

    @Test
    void unsignedReachesTheLargest64BitNumber() {
        assertThat(Numbers.parseUnsigned("18446744073709551615")).isEqualTo(OptionalLong.of(-1));
        assertThat(Numbers.parseUnsigned("18446744073709551616")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", "+", "-1", "x", "1x", " ", "1.5"})
    void unsignedRefuses(String text) {
        assertThat(Numbers.parseUnsigned(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"12", "+12", " 12", "12 ", "12\tx"})
    void whiteSpaceAroundANumberIsAccepted(String text) {
        assertThat(Numbers.parseUnsigned(text)).isEqualTo(OptionalLong.of(12));
    }

    @Test
    void aNegativeNumberWrapsUnlessTheResultIsNegativeToo() {
        assertThat(Numbers.parseUnsigned("-0")).isEqualTo(OptionalLong.of(0));
        assertThat(Numbers.parseUnsigned("-18446744073709551615")).isEqualTo(OptionalLong.of(1));
        assertThat(Numbers.parseUnsigned("-18446744073709551616")).isEmpty();
        assertThat(Numbers.parseUnsigned("-9223372036854775809")).isEqualTo(OptionalLong.of(Long.MAX_VALUE));
        assertThat(Numbers.parseUnsigned("-9223372036854775808")).isEmpty();
    }

    @Test
    void aMinusSignAfterANumberInvalidatesOnlyLargeOnes() {
        assertThat(Numbers.parseUnsigned("9223372036854775807\t-")).isEqualTo(OptionalLong.of(Long.MAX_VALUE));
        assertThat(Numbers.parseUnsigned("9223372036854775808\t-")).isEmpty();
    }

    @Test
    void signedIsCutTo32Bits() {
        assertThat(Numbers.parseInt32("-5")).isEqualTo(OptionalInt.of(-5));
        assertThat(Numbers.parseInt32("4294967297")).isEqualTo(OptionalInt.of(1));
        assertThat(Numbers.parseInt32("99999999999999999999")).isEmpty();
    }
}
