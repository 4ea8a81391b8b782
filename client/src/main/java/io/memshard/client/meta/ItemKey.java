package io.memshard.client.meta;

import io.memshard.client.protocol.Key;
import java.util.Base64;

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

    /** Checks the key. */
    public ItemKey {
        Key.checkLength(text);
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
        if (bytes.length == 0 || bytes.length > MAX_BINARY_BYTES) {
            throw new IllegalArgumentException("binary key has " + bytes.length + " bytes: it has 1 to "
                    + MAX_BINARY_BYTES + ", which in base64 make the longest key");
        }
        return new ItemKey(Base64.getEncoder().encodeToString(bytes), true);
    }

    @Override
    public String toString() {
        return isBinary ? text + " (base64)" : text;
    }
}
