// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.protocol.wire.RequestBuffer;
import java.util.function.Function;

/**
 * {@code delete}: the classic form of {@link MetaDelete}.
 *
 * <p>Protocol: {@code delete <key>\r\n}, replied {@code DELETED} or {@code NOT_FOUND}; protocol.txt, section
 * "Deletion".
 */
final class ClassicDelete<T> extends ClassicStatus<T> {

    private static final byte[] DELETED = "DELETED".getBytes(US_ASCII);

    ClassicDelete(String key, Function<StoreStatus, T> outcome) {
        super(key, "delete", DELETED, outcome);
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {
        appendVerbAndKey(out).endLine();
    }
}
