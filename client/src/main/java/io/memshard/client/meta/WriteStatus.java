// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import io.memshard.client.protocol.StoreStatus;

/**
 * Outcome of a {@code cas}, a meta set, a meta delete or a meta arithmetic. A {@code cas} never returns
 * {@link #NOT_STORED}.
 *
 * <p>Protocol: protocol.txt, sections "Meta Set", "Meta Delete" and "Meta Arithmetic".
 */
public enum WriteStatus {
    /** {@code HD}: the item was stored or changed. */
    DONE,
    /** {@code NS}: not stored, because the request's mode does not allow it, or the value would become too large. */
    NOT_STORED,
    /** {@code EX}: the item has another cas unique, because another writer changed the item. */
    EXISTS,
    /** {@code NF}: the item does not exist. */
    NOT_FOUND;

    static WriteStatus of(StoreStatus status) {
        return valueOf(status.name());
    }
}
