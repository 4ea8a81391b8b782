// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.embedded;

import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Decimal numbers in memcached's format: white space, one sign, digits, then the end, or white space and any text. Wide
 * values are cut to 32 bits where the server keeps 32 bits.
 */
final class Numbers {

    private Numbers() {}

    /**
     * Parses an unsigned 64-bit number; empty if the text is too wide or not a number. A negative number wraps at 2^64.
     * If the result is 2^63 or more, a minus sign anywhere in the text makes the text invalid.
     */
    static OptionalLong parseUnsigned(String text) {
        String digits = digits(text);
        boolean negative = digits.startsWith("-");
        try {
            long magnitude = Long.parseUnsignedLong(negative ? digits.substring(1) : digits);
            long number = negative ? -magnitude : magnitude;
            return number < 0 && text.indexOf('-') >= 0 ? OptionalLong.empty() : OptionalLong.of(number);
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /** Parses a signed number and cuts it to 32 bits; empty if the text is wider than 64 bits or not a number. */
    static OptionalInt parseInt32(String text) {
        try {
            return OptionalInt.of((int) Long.parseLong(digits(text)));
        } catch (NumberFormatException e) {
            return OptionalInt.empty();
        }
    }

    private static String digits(String text) {
        int start = 0;
        while (start < text.length() && isWhiteSpace(text.charAt(start))) {
            start++;
        }
        int end = start;
        if (end < text.length() && (text.charAt(end) == '+' || text.charAt(end) == '-')) {
            end++;
        }
        int firstDigit = end;
        while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
            end++;
        }
        boolean endsCleanly = end == text.length() || isWhiteSpace(text.charAt(end));
        return end == firstDigit || !endsCleanly ? "" : text.substring(start, end);
    }

    private static boolean isWhiteSpace(char c) {
        return c == ' ' || (c >= '\t' && c <= '\r');
    }
}
