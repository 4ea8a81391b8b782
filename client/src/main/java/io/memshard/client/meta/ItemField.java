// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

/** Fields of an item that a meta get can return. */
public enum ItemField {
    /** Value, and the client flags that determine its decoding (flags {@code v} and {@code f}). */
    VALUE("vf"),
    /** Client flags (flag {@code f}). */
    CLIENT_FLAGS("f"),
    /** Cas unique (flag {@code c}). */
    CAS("c"),
    /** Remaining time to live (flag {@code t}). */
    TTL("t"),
    /** Time since the last access (flag {@code l}). */
    LAST_ACCESS("l"),
    /** Information whether the item was hit before this access (flag {@code h}). */
    HIT_BEFORE("h"),
    /** Size of the value (flag {@code s}). */
    SIZE("s");

    private final String letters;

    ItemField(String letters) {
        this.letters = letters;
    }

    String letters() {
        return letters;
    }
}
