// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

/**
 * Condition and position for the value of a {@link SetRequest}.
 *
 * <p>Protocol: {@code M} of {@code ms}; protocol.txt, section "Meta Set".
 */
public enum SetMode {
    /** Stores always. */
    SET,
    /** Stores only if the item does not exist. */
    ADD,
    /** Stores only if the item exists. */
    REPLACE,
    /** Appends to the item's value. The item's flags and time to live stay unchanged. */
    APPEND,
    /** Prepends to the item's value. The item's flags and time to live stay unchanged. */
    PREPEND
}
