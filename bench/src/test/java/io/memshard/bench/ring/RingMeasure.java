// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.ring;

/**
 * Measure of a ring.
 *
 * <p>A share is of all keys, from 0 to 1. A key is astray if it moves between two servers that were there before the
 * change and are there after it: what a consistent ring never does.
 */
public enum RingMeasure {

    /** Keys of the fullest server over those of the mean one. */
    MAX_OVER_MEAN,
    /** Keys of the emptiest server over those of the mean one. */
    MIN_OVER_MEAN,
    /** Standard deviation of the keys of a server, over the mean. */
    DEVIATION,

    /** Share that moves when a server is added at the end of the list. */
    ADDED_MOVED,
    /** Share that goes astray then. */
    ADDED_ASTRAY,
    /** Share that moves when a server in the middle of the list is removed. */
    REMOVED_MOVED,
    /** Share that goes astray then. */
    REMOVED_ASTRAY,
    /** Share that moves when one in the middle gives way to another with another name. */
    REPLACED_MOVED,
    /** Share that goes astray then. */
    REPLACED_ASTRAY,
    /** Share that moves when the same servers are given in another order. */
    REORDERED_MOVED,
    /** Share that moves when one server has the same host name and another IP address. */
    READDRESSED_MOVED,

    /** Keys of the servers of weight 1 over what is due to them, in a fleet of weights 1 and 3. */
    LIGHT_OVER_DUE,
    /** Keys of those of weight 3 over what is due to them. */
    HEAVY_OVER_DUE,
    /** Share that moves when one server of weight 3 is added to that fleet. */
    HEAVY_ADDED_MOVED,
    /** Share that goes astray then. */
    HEAVY_ADDED_ASTRAY,
    /** Share that moves when the weight of one server is raised from 1 to 2. */
    REWEIGHTED_MOVED,
    /** Share that goes astray then. */
    REWEIGHTED_ASTRAY,

    /** CPU time to find the server of a key of about 20 bytes, in nanoseconds. */
    LOOKUP_NS,
    /** Bytes that a look-up allocates. */
    LOOKUP_BYTES,
    /** CPU time to find the server of a key of 200 bytes, in nanoseconds. */
    LONG_LOOKUP_NS,
    /** CPU time to build a locator, in microseconds. */
    BUILD_US,
    /** Heap that a locator keeps, without its servers, in bytes. */
    MEMORY_BYTES
}
