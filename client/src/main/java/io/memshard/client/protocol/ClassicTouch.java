// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.protocol.wire.RequestBuffer;
import java.util.function.Function;

/**
 * {@code touch}: the classic form of a {@link MetaGet} that only sets a new time to live.
 *
 * <p>Protocol: {@code touch <key> <exptime>\r\n}, replied {@code TOUCHED} or {@code NOT_FOUND}; protocol.txt,
 * section "Touch".
 */
final class ClassicTouch<T> extends ClassicStatus<T> {

    private static final byte[] TOUCHED = "TOUCHED".getBytes(US_ASCII);

    private final int exptime;

    ClassicTouch(String key, int exptime, Function<StoreStatus, T> outcome) {
        super(key, "touch", TOUCHED, outcome);
        this.exptime = exptime;
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {
        appendVerbAndKey(out).append(' ').appendUnsigned(exptime).endLine();
    }
}
