// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.zip.CRC32;

/**
 * Values that tell whose they are and whether they are whole: {@code <key> <filler> <checksum of both>}.
 *
 * <p>No client can see that a byte within a data block was changed on its way. What it owes is that a value which
 * is whole is the value of the key it was asked for.
 */
final class CheckedValue {

    /** What a value read under a key is. */
    enum Verdict {
        RIGHT,
        /** Changed on its way: nobody's value any more. */
        CORRUPT,
        /** As somebody wrote it, under another key. */
        WRONG
    }

    private CheckedValue() {}

    static byte[] of(String key, int fillerBytes) {
        String text = key + ' ' + "x".repeat(fillerBytes);
        return (text + ' ' + checksum(text)).getBytes(ISO_8859_1);
    }

    static Verdict verdict(String key, byte[] value) {
        String whole = new String(value, ISO_8859_1);
        int end = whole.lastIndexOf(' ');
        if (end < 0 || !checksum(whole.substring(0, end)).equals(whole.substring(end + 1))) {
            return Verdict.CORRUPT;
        }
        return whole.startsWith(key + ' ') ? Verdict.RIGHT : Verdict.WRONG;
    }

    private static String checksum(String text) {
        CRC32 checksum = new CRC32();
        checksum.update(text.getBytes(ISO_8859_1));
        return Long.toHexString(checksum.getValue());
    }
}
