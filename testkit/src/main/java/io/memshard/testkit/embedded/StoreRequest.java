// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.embedded;

import org.jspecify.annotations.Nullable;

/**
 * What one storage command asks for.
 *
 * @param key the key, one char a byte
 * @param mode how to store
 * @param clientFlags 32 bits kept with the item
 * @param exptime absolute second, 0: never
 * @param value the data block, not copied
 * @param compareCas the cas unique the item must have, or null
 * @param invalidate store as stale when {@code compareCas} is older than the item (meta {@code I})
 * @param vivifyExptime exptime of the item that an append or prepend creates on a miss, or null
 * @param explicitCas the cas unique to give the item, or null (meta {@code E})
 * @param binaryKey whether the key came in base64; only an item whose whole value is this one remembers it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, only carried
record StoreRequest(
        String key,
        Mode mode,
        int clientFlags,
        long exptime,
        byte[] value,
        @Nullable Long compareCas,
        boolean invalidate,
        @Nullable Long vivifyExptime,
        @Nullable Long explicitCas,
        boolean binaryKey) {

    enum Mode {
        SET,
        ADD,
        REPLACE,
        APPEND,
        PREPEND
    }

    enum Outcome {
        STORED,
        NOT_STORED,
        EXISTS,
        NOT_FOUND
    }

    /** The outcome, with the item where it was stored. */
    record Result(Outcome outcome, @Nullable Item item) {}
}
