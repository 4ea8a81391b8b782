// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

/** Effect of a command, for senders that keep copies of items. */
public enum Effect {
    /** Reads. A result of null is a miss. */
    READ,
    /** Reads, and sets a time to live. A result of null is a miss. */
    READ_AND_TOUCH,
    /** Reads a cas unique, which is valid only on the server that returned it. */
    READ_CAS,
    /** Reads. The server may grant a claim, the right to load the value. */
    CLAIM,
    TOUCH,
    STORE,
    /** Stores only if an item exists, or if none exists; also a store that returns the new cas unique. */
    STORE_IF,
    /** Ends a claim (right to load the value), by a store or a release. */
    FILL,
    CAS,
    CHANGE,
    COUNT,
    DELETE,
    INVALIDATE
}
