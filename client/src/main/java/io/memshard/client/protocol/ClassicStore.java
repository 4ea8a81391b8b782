// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.protocol.wire.RequestBuffer;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Classic form of {@link MetaSet}: {@code set}, {@code add}, {@code replace}, {@code append}, {@code prepend} or {@code
 * cas}.
 *
 * <p>Protocol: {@code <verb> <key> <flags> <exptime> <bytes> [<cas unique>]\r\n<data block>\r\n}, replied {@code
 * STORED}, {@code NOT_STORED}, {@code EXISTS} or {@code NOT_FOUND}; protocol.txt, section "Storage commands".
 */
final class ClassicStore<T> extends ClassicStatus<T> {

    private static final byte[] STORED = "STORED".getBytes(US_ASCII);

    private final MetaSet.Mode mode;
    private final MetaSet.Item item;
    private final long casUnique;

    ClassicStore(String key, MetaSet.Mode mode, MetaSet.Item item, long casUnique, Function<StoreStatus, T> outcome) {
        super(key, casUnique == MetaSet.ANY_CAS ? mode.name().toLowerCase(Locale.ROOT) : "cas", STORED, outcome);
        this.mode = mode;
        this.item = item;
        this.casUnique = casUnique;
    }

    @Override
    boolean hasDataBlock() {
        return true;
    }

    @Override
    boolean isRefusal(@Nullable StoreStatus decoded) {
        return MetaSet.isRefusal(decoded, mode, casUnique);
    }

    @Override
    void appendArguments(RequestBuffer out) {
        out.append(' ')
                .appendUnsigned(Integer.toUnsignedLong(item.flags()))
                .append(' ')
                .appendUnsigned(item.exptime())
                .append(' ')
                .appendUnsigned(item.data().length);
        if (casUnique != MetaSet.ANY_CAS) {
            out.append(' ').appendUnsigned(casUnique);
        }
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {
        super.encode(out, opaque);
        out.append(item.data()).endLine();
    }
}
