// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import io.memshard.client.protocol.wire.KeyRule;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;

/**
 * Key of a meta request: text, or any bytes.
 *
 * <p>Threading: immutable.
 *
 * <p>Protocol: protocol.txt, sections "Keys" and "Meta Commands". Binary keys (flag {@code b}) need memcached 1.6.10 or
 * later. A binary key and a text key with the same bytes name the same item.
 *
 * @param text the key, or the base64 of a binary key: 1 to 250 bytes of UTF-8 without spaces and control characters
 * @param isBinary whether the key is binary, and {@code text} is its base64
 */
public record ItemKey(String text, boolean isBinary) {

    /** Maximum length of a binary key, in bytes. The base64 of a longer key would exceed 250 bytes. */
    public static final int MAX_BINARY_BYTES = 186;

    /**
     * Checks the key.
     *
     * @throws IllegalArgumentException if {@code text} is not a legal key, or if the key is binary and {@code text} is
     *     not base64 with padding
     */
    public ItemKey {
        KeyRule.checkLength(text);
        if (isBinary && !isBase64(text)) {
            throw new IllegalArgumentException(
                    "the binary key is not base64 with padding: create the key from its bytes, with ItemKey.binary");
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

    /** Returns a key of text. */
    public static ItemKey of(String text) {
        return new ItemKey(text, false);
    }

    /**
     * Returns a binary key, which is sent in base64.
     *
     * @param bytes 1 to {@value #MAX_BINARY_BYTES} bytes, copied
     */
    public static ItemKey binary(byte[] bytes) {
        Objects.requireNonNull(bytes, "bytes is null");
        return new ItemKey(Base64.getEncoder().encodeToString(bytes), true);
    }

    ItemKey behind(String prefix) {
        if (prefix.isEmpty()) {
            return this;
        }
        byte[] first = prefix.getBytes(StandardCharsets.UTF_8);
        byte[] rest = Base64.getDecoder().decode(text);
        return binary(ByteBuffer.allocate(first.length + rest.length)
                .put(first)
                .put(rest)
                .array());
    }

    @Override
    public String toString() {
        return isBinary ? text + " (base64)" : text;
    }
}
