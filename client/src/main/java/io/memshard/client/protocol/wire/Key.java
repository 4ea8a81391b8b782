// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol.wire;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * memcached's rules for keys: 1 to 250 bytes, which are UTF-8 in this client, without spaces and control characters.
 *
 * <p>Protocol: protocol.txt, section "Keys". A key is checked before anything is written. If a key contained a space or
 * a line end, the server would read the rest of it as parameters or as another command.
 */
public final class Key {

    /** Maximum length of a key, in bytes. */
    public static final int MAX_BYTES = 250;

    /**
     * Estimated number of bytes in flight for each key of a command on many keys: the key and its flags, rounded up.
     */
    public static final int MANY_BYTES = 384;

    private static final char DELETE = 0x7f;

    private Key() {}

    /**
     * Returns the length of {@code key} in bytes of UTF-8.
     *
     * @throws IllegalArgumentException if {@code key} is not a valid key; the message gives its length or the position
     *     of the error
     */
    public static int checkLength(String key) {
        int plain = plainChars(Objects.requireNonNull(key, "key is null"));
        for (int i = plain; i < key.length(); i++) {
            char c = key.charAt(i);
            if (isRefused(c)) {
                throw new IllegalArgumentException(
                        "key has %s (0x%02x) at position %d of %d: spaces and control characters are not allowed"
                                .formatted(c == ' ' ? "a space" : "a control character", (int) c, i, key.length()));
            }
            if (Character.isSurrogate(c) && isHalfPair(key, i)) {
                throw new IllegalArgumentException(
                        "key has half a surrogate pair (0x%04x) at position %d of %d: UTF-8 cannot encode it"
                                .formatted((int) c, i, key.length()));
            }
        }
        int bytes = length(key, plain);
        if (bytes == 0) {
            throw new IllegalArgumentException("key is empty: a key has 1 to " + MAX_BYTES + " bytes");
        }
        if (bytes > MAX_BYTES) {
            throw new IllegalArgumentException("key has " + bytes + " bytes: a key has 1 to " + MAX_BYTES + " bytes");
        }
        return bytes;
    }

    /**
     * Returns whether memcached accepts {@code key}. It refuses a key that is too long or has an {@linkplain #isRefused
     * invalid character}.
     */
    public static boolean isKey(String key) {
        int plain = plainChars(key);
        for (int i = plain; i < key.length(); i++) {
            if (isRefused(key.charAt(i))) {
                return false;
            }
        }
        return length(key, plain) <= MAX_BYTES;
    }

    /**
     * Returns the number of leading characters that are ASCII and not {@linkplain #isRefused refused}. In most keys,
     * all characters are such.
     */
    private static int plainChars(String key) {
        int plain = 0;
        while (plain < key.length() && key.charAt(plain) > ' ' && key.charAt(plain) < DELETE) {
            plain++;
        }
        return plain;
    }

    private static int length(String key, int plain) {
        return plain == key.length() ? plain : key.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Returns whether a key must not contain this character, because it is a space or a control character. */
    public static boolean isRefused(char c) {
        return c <= ' ' || c == DELETE;
    }

    /** Returns whether the surrogate at {@code i} lacks its other half. */
    private static boolean isHalfPair(String key, int i) {
        return Character.isHighSurrogate(key.charAt(i))
                ? i + 1 == key.length() || !Character.isLowSurrogate(key.charAt(i + 1))
                : i == 0 || !Character.isHighSurrogate(key.charAt(i - 1));
    }
}
