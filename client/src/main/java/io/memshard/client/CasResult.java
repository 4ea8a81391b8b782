// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

/** Outcomes of a {@code cas}. Protocol: protocol.txt, section "Meta Set", flag {@code C}. */
public enum CasResult {
    /** The item still had the expected cas unique. The new value was stored. */
    STORED,
    /** The item has another cas unique, because another writer changed the item. Nothing was stored. */
    EXISTS,
    /** The item does not exist. Nothing was stored. */
    NOT_FOUND
}
