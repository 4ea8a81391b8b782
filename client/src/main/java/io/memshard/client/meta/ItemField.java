// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

/** Fields of an item that a meta get can read: the flags of {@code mg} that return something. */
public enum ItemField {
    /** {@code v f}: the value, with the client flags that determine its decoding. */
    VALUE("vf"),
    /** {@code f}: the client flags. */
    CLIENT_FLAGS("f"),
    /** {@code c}: the cas unique. */
    CAS("c"),
    /** {@code t}: the remaining time to live. */
    TTL("t"),
    /** {@code l}: the time since the last access. */
    LAST_ACCESS("l"),
    /** {@code h}: whether the item was hit before. */
    HIT_BEFORE("h"),
    /** {@code s}: the size of the value. */
    SIZE("s");

    private final String letters;

    ItemField(String letters) {
        this.letters = letters;
    }

    String letters() {
        return letters;
    }
}
