// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Classic form of {@link MetaGet}: {@code get} or {@code gets}.
 *
 * <p>Protocol: {@code get <key>\r\n}, replied as described by {@link ClassicRead}, with one item or none.
 */
final class ClassicGet<T> extends ClassicRead<@Nullable T> implements ReadCommand<@Nullable T> {

    private final MetaGet.Hit<T> hit;
    private byte @Nullable [] data;
    private int clientFlags;
    private long casUnique;

    ClassicGet(String key, boolean withCas, int exptime, MetaGet.Hit<T> hit) {
        super(key, 1, withCas, exptime);
        this.hit = hit;
    }

    @Override
    void appendKey(RequestBuffer out, int index) {
        appendKey(out);
    }

    @Override
    void takeKey(ReplyBuffer in) throws MalformedReplyException {
        nextKey(in);
        if (!in.tokenIs(itemKey())) {
            throw in.malformed("a reply to another request (the value of another key)");
        }
    }

    @Override
    void takeItem(int flags, long unique, byte @Nullable [] block) {
        // The placeholder of a load is a hit only for gets, because the caller may replace the placeholder by cas.
        data = block == null || (!withCas && MetaReply.isHeldPlace(block, flags)) ? null : block;
        clientFlags = flags;
        casUnique = unique;
    }

    @Override
    void failItem(ErrorReply error) {
        fail(error);
    }

    @Override
    @SuppressWarnings("NullAway") // NullAway does not see that the type argument of the superclass is nullable.
    public @Nullable T miss() {
        return null;
    }

    @Override
    public int hits() {
        return data == null ? 0 : 1;
    }

    @Override
    @SuppressWarnings("NullAway") // NullAway does not see that the type argument of the superclass is nullable.
    public @Nullable T result() {
        return data == null ? null : hit.result(data, clientFlags, casUnique);
    }
}
