// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

/** Effect of a command, for senders that keep copies of items. */
public enum Effect {
    /** Reads and changes nothing. A result of null is a miss. */
    READ,
    /** Reads, and sets a time to live. A result of null is a miss. */
    READ_AND_TOUCH,
    /** Reads a cas unique, which is valid only on the server that returned it. */
    READ_CAS,
    /** Reads. The server may grant the caller a claim, the right to load the value. */
    CLAIM,
    TOUCH,
    STORE,
    /** Stores only if an item exists, or only if none exists; also any store that returns the new cas unique. */
    STORE_IF,
    /** Ends a caller's claim (right to load the value), by storing the value or by giving back the claim. */
    FILL,
    CAS,
    CHANGE,
    COUNT,
    DELETE,
    /** Marks the item as stale, or empties it. */
    INVALIDATE
}
