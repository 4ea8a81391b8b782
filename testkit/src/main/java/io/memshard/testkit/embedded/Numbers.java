// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.embedded;

final class Numbers {

    private Numbers() {}

    static long unsigned(String text, String error) throws BadCommandException {
        try {
            return Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            throw new BadCommandException(error);
        }
    }

    /** Parses a signed number and truncates the number to 32 bits, as memcached does. */
    static int int32(String text, String error) throws BadCommandException {
        try {
            return (int) Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new BadCommandException(error);
        }
    }

    static int length(String text) throws BadCommandException {
        int length = int32(text, BadCommandException.BAD_FORMAT);
        if (length < 0 || length > Integer.MAX_VALUE - 2) {
            throw new BadCommandException(BadCommandException.BAD_FORMAT);
        }
        return length;
    }
}
