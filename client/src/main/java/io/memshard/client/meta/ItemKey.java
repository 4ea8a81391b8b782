// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import io.memshard.client.protocol.wire.KeyRule;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;

/** Key of a meta request: text, or bytes as base64. Protocol: protocol.txt, sections "Keys" and "Meta Commands". */
record ItemKey(String text, boolean isBinary) {

    ItemKey {
        KeyRule.checkLength(text);
    }

    static ItemKey of(String text) {
        return new ItemKey(text, false);
    }

    static ItemKey of(byte[] bytes) {
        Objects.requireNonNull(bytes, "key is null");
        return new ItemKey(Base64.getEncoder().encodeToString(bytes), true);
    }

    ItemKey behind(String prefix) {
        if (prefix.isEmpty()) {
            return this;
        }
        byte[] first = prefix.getBytes(StandardCharsets.UTF_8);
        byte[] rest = Base64.getDecoder().decode(text);
        return of(ByteBuffer.allocate(first.length + rest.length)
                .put(first)
                .put(rest)
                .array());
    }

    @Override
    public String toString() {
        return isBinary ? text + " (base64)" : text;
    }
}
