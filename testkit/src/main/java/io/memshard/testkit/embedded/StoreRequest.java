// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.embedded;

import org.jspecify.annotations.Nullable;

/**
 * Request of one storage command.
 *
 * @param key key, one char per byte
 * @param exptime time of expiry, in seconds since 1970; 0 if the item never expires
 * @param invalidate true to store a stale item if {@code compareCas} is lower than the item's cas (meta {@code I})
 * @param vivifyExptime exptime of the item that an append or prepend creates on a miss; null to create no item
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
        @Nullable Long explicitCas) {

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

    record Result(Outcome outcome, @Nullable Item item) {}
}
