// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import io.memshard.client.protocol.StoreStatus;

/**
 * Outcome of a meta set, a meta delete or a meta arithmetic.
 *
 * <p>Protocol: protocol.txt, sections "Meta Set", "Meta Delete" and "Meta Arithmetic".
 */
public enum WriteStatus {
    /** {@code HD}: the item was changed. */
    DONE,
    /** {@code NS}: not stored, because the request's mode does not allow it, or the value would become too large. */
    NOT_STORED,
    /** {@code EX}: the item has another cas unique. */
    EXISTS,
    /** {@code NF}: the item does not exist. */
    NOT_FOUND;

    static WriteStatus of(StoreStatus status) {
        return valueOf(status.name());
    }
}
