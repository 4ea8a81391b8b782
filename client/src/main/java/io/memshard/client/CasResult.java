package io.memshard.client;

/** What became of a {@code cas}: the outcomes of protocol.txt, section "Meta Set", mode set with C. */
public enum CasResult {
    /** The item still had the expected cas unique, and now has the new value. */
    STORED,
    /** The item was changed since: its cas unique is another. Nothing was stored. */
    EXISTS,
    /** There is no such item (any more). Nothing was stored. */
    NOT_FOUND
}
