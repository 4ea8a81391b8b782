// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

/**
 * Effect of a command on items, for a sender that keeps more than one copy of each: one in each zone, or one in an old
 * and one in a new fleet.
 */
public enum Effect {
    /** It reads and changes nothing. A result of null is a miss. */
    READ,
    /** It reads, and sets a time to live. A result of null is a miss. */
    READ_AND_TOUCH,
    /** It reads a cas unique, which only the server that gave it understands. */
    READ_CAS,
    /** It reads, and its caller may be chosen to load the value. */
    CLAIM,
    /** It sets a time to live. */
    TOUCH,
    /** It stores a value, whatever there is. */
    STORE,
    /** It stores a value if there is an item, or none. */
    STORE_IF,
    /** It ends the claim of a caller that was chosen to load: with a value, or without. */
    FILL,
    /** It stores or deletes if the item still has a cas unique. */
    CAS,
    /** It changes the value that is there. */
    CHANGE,
    /** It counts. */
    COUNT,
    /** It deletes. */
    DELETE,
    /** It marks the item as stale, or empties it. */
    INVALIDATE
}
