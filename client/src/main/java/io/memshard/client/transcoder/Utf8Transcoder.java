// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import io.memshard.client.exception.MemcachedDecodingException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

enum Utf8Transcoder implements Transcoder<String> {
    INSTANCE;

    private static final char REPLACEMENT = '\ufffd';

    @Override
    public boolean isAppendable() {
        return true;
    }

    @Override
    public EncodedValue encode(String value) {
        return new EncodedValue(bytes(value), 0);
    }

    @Override
    public String decode(byte[] data, int flags) {
        Transcoder.checkNoFlags("Transcoder.utf8()", flags);
        return text(data, flags);
    }

    /** Rejects an unpaired surrogate, which {@link String#getBytes} would replace by {@code ?}. */
    static byte[] bytes(String value) {
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

    static String text(byte[] data, int flags) {
        String text = new String(data, StandardCharsets.UTF_8);
        // The decoder replaces malformed bytes by this character, which may also be in valid text.
        if (text.indexOf(REPLACEMENT) >= 0) {
            try {
                StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(data));
            } catch (CharacterCodingException e) {
                throw new MemcachedDecodingException(
                        "the value is not text in UTF-8: to read its bytes, use Transcoder.bytes()", flags, e);
            }
        }
        return text;
    }
}
