// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.util.List;

/**
 * Classic form of {@link MetaMultiGet}: {@code get} or {@code gets} of many keys. The {@code MetaMultiGet} records the
 * values.
 *
 * <p>A proxy may return the values in another order than the keys. An error fails the whole command.
 *
 * <p>Protocol: {@code get <key>*\r\n}, replied as described by {@link ClassicRead}. The request line has at most 100
 * keys, and so at most 25 KiB. memcached accepts lines of more than 2 KiB only for {@code get} and {@code gets}.
 */
final class ClassicMultiGet<V> extends ClassicRead<FoundItems<V>> implements ReadCommand<FoundItems<V>> {

    private final MetaMultiGet<V> items;
    private final List<String> keys;

    /** Index of the latest item's key; -1 before the first item. */
    private int current = -1;

    ClassicMultiGet(MetaMultiGet<V> items) {
        super(
                items.keys().get(0),
                items.keyCount(),
                items.wanted() == MetaGet.Wanted.VALUE_AND_CAS,
                items.exptime() == MetaGet.NO_TOUCH
                        ? List.of()
                        : items.keys().stream()
                                .map(key -> touch(key, items.exptime()))
                                .toList());
        this.items = items;
        this.keys = items.keys();
    }

    @Override
    void appendKeys(RequestBuffer out) {
        for (int i = 0; i < keys.size(); i++) {
            items.appendKey(i == 0 ? out : out.append(' '), i);
        }
    }

    @Override
    void takeKey(ReplyBuffer in) throws MalformedReplyException {
        current = index(in);
    }

    @Override
    void endItem() {
        items.keep(current, clientFlags(), casUnique(), data());
    }

    /**
     * Returns the index of the key in the current line. The search starts after the previous hit's key, because most
     * hits arrive in the order of the keys.
     */
    private int index(ReplyBuffer in) throws MalformedReplyException {
        int expected = current + 1;
        if (expected < keys.size() && !items.isKept(expected) && in.nextTokenIs(keys.get(expected))) {
            return expected;
        }
        nextKey(in);
        for (int n = 1; n <= keys.size(); n++) {
            int index = (current + n) % keys.size();
            if (!items.isKept(index) && in.tokenIs(keys.get(index))) {
                return index;
            }
        }
        throw in.malformed("a reply to another request (a key that was not requested, or that has a value already)");
    }

    @Override
    void beginSkip(ReplyBuffer in) {
        // A value above the limit fails its key, not the command.
    }

    @Override
    public int keyCount() {
        return items.keyCount();
    }

    @Override
    public FoundItems<V> miss() {
        return items.miss();
    }

    @Override
    public int hits() {
        return items.hits();
    }

    @Override
    public FoundItems<V> result() {
        return items.result();
    }
}
