// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Line {@code get} or {@code gets} of the keys of a {@link MetaMultiGet}, which records the values.
 *
 * <p>A proxy may return the values in another order than the keys.
 *
 * <p>Protocol: {@code get <key>*\r\n}, replied as described by {@link ClassicRead}. The request line has at most 100
 * keys, and so at most 25 KiB. memcached accepts lines of more than 2 KiB only for {@code get} and {@code gets}.
 */
final class ClassicMultiGet extends ClassicRead<@Nullable Void> {

    private final MetaMultiGet<?> items;
    private final List<String> keys;

    /** Index of the latest item's key; -1 before the first item. */
    private int current = -1;

    ClassicMultiGet(MetaMultiGet<?> items, boolean withCas, int exptime) {
        super(items.itemKey(), items.keyCount(), withCas, exptime);
        this.items = items;
        this.keys = items.keys();
    }

    @Override
    void appendKey(RequestBuffer out, int index) {
        items.appendKey(out, index);
    }

    /** The search starts after the previous hit's key, because most hits arrive in the order of the keys. */
    @Override
    void takeKey(ReplyBuffer in) throws MalformedReplyException {
        if (current + 1 < keys.size() && !items.isKept(current + 1) && in.nextTokenIs(keys.get(current + 1))) {
            current++;
            return;
        }
        nextKey(in);
        for (int n = 1; n <= keys.size(); n++) {
            int index = (current + n) % keys.size();
            if (!items.isKept(index) && in.tokenIs(keys.get(index))) {
                current = index;
                return;
            }
        }
        throw in.malformed("a reply to another request (a key that was not requested, or that has a value already)");
    }

    @Override
    void takeItem(int flags, long casUnique, byte @Nullable [] data) {
        items.keep(current, flags, casUnique, data);
    }

    @Override
    void failItem(ErrorReply error) {
        items.fail(current, error);
    }

    @Override
    @SuppressWarnings("NullAway") // NullAway does not see that the type argument of the superclass is nullable.
    public @Nullable Void result() {
        return null;
    }
}
