// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.embedded;

import java.util.OptionalInt;
import java.util.OptionalLong;

/** Decimal numbers of requests and items. */
final class Numbers {

    private Numbers() {}

    static OptionalLong parseUnsigned(String text) {
        try {
            return OptionalLong.of(Long.parseUnsignedLong(text));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /** Parses a signed number and cuts it to 32 bits, as memcached does; empty if the text is not a number. */
    static OptionalInt parseInt32(String text) {
        try {
            return OptionalInt.of((int) Long.parseLong(text));
        } catch (NumberFormatException e) {
            return OptionalInt.empty();
        }
    }
}
