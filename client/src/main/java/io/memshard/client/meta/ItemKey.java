// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import io.memshard.client.protocol.Key;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;

/**
 * The key of a meta request: text, or any bytes.
 *
 * <p>Threading: immutable.
 *
 * <p>Protocol: protocol.txt, sections "Keys" and "Meta Commands", flag {@code b}, since memcached 1.6.10. The server
 * stores the bytes themselves, so a binary key that is valid text names the same item as that text.
 *
 * @param text the key as it is sent: 1 to 250 bytes of UTF-8 without spaces and control characters
 * @param isBinary whether {@code text} is the key in base64
 */
public record ItemKey(String text, boolean isBinary) {

    /** The longest binary key, whose base64 is as long as a key can be. */
    public static final int MAX_BINARY_BYTES = 186;

    /**
     * Checks the key.
     *
     * @throws IllegalArgumentException if the text is no key, or is not exactly the base64 of a binary key. A server
     *     would answer that in a way that fails the commands of other callers too
     */
    public ItemKey {
        Key.checkLength(text);
        if (isBinary && !isBase64(text)) {
            throw new IllegalArgumentException(
                    "binary key is not base64 with padding: make it with ItemKey.binary, of the bytes themselves");
        }
    }

    private static boolean isBase64(String text) {
        try {
            return Base64.getEncoder()
                    .encodeToString(Base64.getDecoder().decode(text))
                    .equals(text);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** A key of text. */
    public static ItemKey of(String text) {
        return new ItemKey(text, false);
    }

    /**
     * A key of any bytes, sent in base64.
     *
     * @param bytes 1 to {@value #MAX_BINARY_BYTES} bytes, copied
     */
    public static ItemKey binary(byte[] bytes) {
        Objects.requireNonNull(bytes, "bytes is null");
        if (bytes.length == 0 || bytes.length > MAX_BINARY_BYTES) {
            throw new IllegalArgumentException("binary key has " + bytes.length + " bytes: it has 1 to "
                    + MAX_BINARY_BYTES + ", which in base64 make the longest key");
        }
        return new ItemKey(Base64.getEncoder().encodeToString(bytes), true);
    }

    /** This binary key with {@code prefix} before its bytes. */
    ItemKey behind(String prefix) {
        if (prefix.isEmpty()) {
            return this;
        }
        byte[] first = prefix.getBytes(StandardCharsets.UTF_8);
        byte[] rest = Base64.getDecoder().decode(text);
        byte[] whole = Arrays.copyOf(first, first.length + rest.length);
        System.arraycopy(rest, 0, whole, first.length, rest.length);
        return binary(whole);
    }

    @Override
    public String toString() {
        return isBinary ? text + " (base64)" : text;
    }
}
