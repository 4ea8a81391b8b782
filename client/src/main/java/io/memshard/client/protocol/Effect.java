// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

/**
 * Effect of a command on items. Senders that keep several copies of an item use it: one copy in each zone, or one in an
 * old and one in a new fleet.
 */
public enum Effect {
    /** Reads and changes nothing. A result of null is a miss. */
    READ,
    /** Reads, and sets a time to live. A result of null is a miss. */
    READ_AND_TOUCH,
    /** Reads a cas unique, which only the server that gave it understands. */
    READ_CAS,
    /** Reads, and its caller may be chosen to load the value. */
    CLAIM,
    /** Sets a time to live. */
    TOUCH,
    /** Stores a value, regardless of the item that exists. */
    STORE,
    /** Stores a value if there is an item, or none. */
    STORE_IF,
    /** Ends the claim of a caller that was chosen to load: with a value, or without. */
    FILL,
    /** Stores or deletes if the item still has a cas unique. */
    CAS,
    /** Changes the existing value. */
    CHANGE,
    /** Counts. */
    COUNT,
    /** Deletes. */
    DELETE,
    /** Marks the item as stale, or empties it. */
    INVALIDATE
}
