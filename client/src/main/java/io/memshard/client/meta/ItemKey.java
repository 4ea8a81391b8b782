// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import io.memshard.client.protocol.wire.KeyRule;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;

/** Key of a meta request: text, or bytes as base64. Protocol: protocol.txt, sections "Keys" and "Meta Commands". */
record ItemKey(String text, boolean isBinary) {

    private static final int MAX_BINARY_BYTES = 186;

    static ItemKey of(String text) {
        KeyRule.checkLength(text);
        return new ItemKey(text, false);
    }

    static ItemKey of(byte[] bytes) {
        return of("key has ", bytes);
    }

    private static ItemKey of(String subject, byte[] bytes) {
        int length = Objects.requireNonNull(bytes, "key is null").length;
        if (length == 0 || length > MAX_BINARY_BYTES) {
            throw new IllegalArgumentException(
                    subject + length + " bytes, but a binary key must have 1 to " + MAX_BINARY_BYTES);
        }
        return new ItemKey(Base64.getEncoder().encodeToString(bytes), true);
    }

    ItemKey behind(String prefix) {
        if (prefix.isEmpty()) {
            return this;
        }
        byte[] first = prefix.getBytes(StandardCharsets.UTF_8);
        byte[] rest = Base64.getDecoder().decode(text);
        byte[] whole = Arrays.copyOf(first, first.length + rest.length);
        System.arraycopy(rest, 0, whole, first.length, rest.length);
        return of("keyPrefix and key have ", whole);
    }

    @Override
    public String toString() {
        return isBinary ? text + " (base64)" : text;
    }
}
