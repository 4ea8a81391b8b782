// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

/**
 * Failure of an {@code update} that stored nothing, because another writer changed the item during each try. The caller
 * may call {@code update} again.
 */
public final class UpdateConflictException extends RuntimeException {

    private final String key;
    private final int tries;

    /** Creates a failure whose message omits the key if {@code hidesKey} is true. */
    public UpdateConflictException(String key, int tries, boolean hidesKey) {
        super("other writers changed the item during each of " + tries + " tries"
                + (hidesKey ? "" : ": \"" + key + '"')
                + "; call update again, or write the item from fewer places");
        this.key = key;
        this.tries = tries;
    }

    /** Returns the item's whole key. */
    public String key() {
        return key;
    }

    public int tries() {
        return tries;
    }
}
