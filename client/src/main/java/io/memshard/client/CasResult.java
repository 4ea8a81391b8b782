// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

/** What happened to a {@code cas}: the outcomes of protocol.txt, section "Meta Set", mode set with C. */
public enum CasResult {
    /** The item still had the expected cas unique, and now has the new value. */
    STORED,
    /** The item was changed meanwhile and has another cas unique. Nothing was stored. */
    EXISTS,
    /** There is no item, or no longer one. Nothing was stored. */
    NOT_FOUND
}
