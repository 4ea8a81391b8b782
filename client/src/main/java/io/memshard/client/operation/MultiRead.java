// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.argument.ValueCoder;
import io.memshard.client.protocol.MetaGet;
import io.memshard.client.protocol.wire.KeyRule;
import io.memshard.client.transcoder.EncodedValue;

/**
 * Description of a read of many items: the fields to read of each item, and the result to make of them.
 *
 * <p>Threading: immutable.
 *
 * @param wanted the value, with or without the cas unique
 * @param exptime the items' new exptime, or {@link MetaGet#NO_TOUCH}
 * @param maker maker of the result of each hit
 */
record MultiRead<V, R>(ValueCoder<V> coder, KeyRule rule, MetaGet.Wanted wanted, int exptime, Maker<V, R> maker) {

    /** An item as the server stores it. */
    // These records have an array, but no code compares them.
    @SuppressWarnings("ArrayRecordComponent")
    record Stored(byte[] data, int flags, long casUnique) {}

    /** Maker of the result of a hit. */
    @FunctionalInterface
    public interface Maker<V, R> {

        /**
         * Returns the result for an item.
         *
         * @param value the item's decoded value
         * @param casUnique the item's cas unique; 0 if it was not requested
         */
        R result(V value, long casUnique);
    }

    /** Returns the result for an item under {@code key}. */
    R result(String key, Stored stored) {
        return maker.result(coder.decode(key, new EncodedValue(stored.data(), stored.flags())), stored.casUnique());
    }
}
