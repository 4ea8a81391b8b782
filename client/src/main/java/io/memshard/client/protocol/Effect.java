// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

/**
 * Effect of a command on items, for senders that keep several copies of an item. The copies are in different zones, or
 * in the two fleets of servers between which a migration moves items.
 */
public enum Effect {
    /** Reads and changes nothing. A result of null is a miss. */
    READ,
    /** Reads, and sets a time to live. A result of null is a miss. */
    READ_AND_TOUCH,
    /** Reads a cas unique, which is valid only on the server that returned it. */
    READ_CAS,
    /** Reads. The server may grant the caller the claim to load the value. */
    CLAIM,
    /** Sets a time to live. */
    TOUCH,
    /** Stores a value, whether or not an item exists. */
    STORE,
    /**
     * Stores a value only if an item exists, or only if none exists. A store that returns the item's new cas unique has
     * this effect, too.
     */
    STORE_IF,
    /** Ends the claim of a caller to load the value: stores the value, or gives the claim up. */
    FILL,
    /** Stores or deletes only if the item still has a given cas unique. */
    CAS,
    /** Appends or prepends to the existing value. */
    CHANGE,
    /** Increments or decrements a number. */
    COUNT,
    /** Deletes. */
    DELETE,
    /** Marks the item as stale, or empties it. */
    INVALIDATE
}
