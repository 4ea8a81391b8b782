// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

/**
 * Under which condition a {@link SetRequest} stores its value, and where.
 *
 * <p>Protocol: {@code M} of {@code ms}; protocol.txt, section "Meta Set".
 */
public enum SetMode {
    /** Always. */
    SET,
    /** Only if there is no item. */
    ADD,
    /** Only if there is an item. */
    REPLACE,
    /** After the item's value. The item's flags and time to live stay. */
    APPEND,
    /** Before the item's value. The item's flags and time to live stay. */
    PREPEND
}
