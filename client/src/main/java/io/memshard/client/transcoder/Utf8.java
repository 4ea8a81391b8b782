// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Strings as bytes. */
final class Utf8 {

    private static final char REPLACEMENT = '\ufffd';

    private Utf8() {}

    /**
     * The bytes of a string.
     *
     * @throws IllegalArgumentException if it has half a surrogate pair, for which there would be a question mark
     */
    static byte[] encode(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (Character.isSurrogate(value.charAt(i))) {
                // Both halves, or it is refused.
                if (!Character.isSurrogatePair(value.charAt(i), i + 1 < value.length() ? value.charAt(i + 1) : ' ')) {
                    throw new IllegalArgumentException("the value has half a surrogate pair at position " + i + " of "
                            + value.length() + ": UTF-8 cannot encode it");
                }
                i++;
            }
        }
        return value.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The string of these bytes.
     *
     * @throws UnreadableValueException if they are not UTF-8
     */
    static String decode(byte[] data) throws UnreadableValueException {
        String text = new String(data, StandardCharsets.UTF_8);
        // What cannot be decoded becomes this character, which may also have been written.
        if (text.indexOf(REPLACEMENT) >= 0) {
            try {
                StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(data));
            } catch (CharacterCodingException e) {
                throw new UnreadableValueException(
                        "the value is not text in UTF-8: Transcoder.bytes() reads it as it is", e);
            }
        }
        return text;
    }
}
