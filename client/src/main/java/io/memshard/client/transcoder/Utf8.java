// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Conversion of strings to bytes in UTF-8, and back. */
final class Utf8 {

    private static final char REPLACEMENT = '\ufffd';

    private Utf8() {}

    /** Rejects an unpaired surrogate, which {@link String#getBytes} would replace by a question mark. */
    static byte[] encode(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (Character.isSurrogate(value.charAt(i))) {
                if (!Character.isSurrogatePair(value.charAt(i), i + 1 < value.length() ? value.charAt(i + 1) : ' ')) {
                    throw new IllegalArgumentException("the value has half a surrogate pair at position " + i + " of "
                            + value.length() + ": UTF-8 cannot encode it");
                }
                i++;
            }
        }
        return value.getBytes(StandardCharsets.UTF_8);
    }

    static String decode(byte[] data) throws UnreadableValueException {
        String text = new String(data, StandardCharsets.UTF_8);
        // The decoder replaces malformed bytes by this character, but valid text may also contain this character.
        if (text.indexOf(REPLACEMENT) >= 0) {
            try {
                StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(data));
            } catch (CharacterCodingException e) {
                throw new UnreadableValueException(
                        "the value is not text in UTF-8: Transcoder.bytes() reads its bytes", e);
            }
        }
        return text;
    }
}
