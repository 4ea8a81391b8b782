// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

/**
 * An {@link MemcachedOperations#update} gave up: at each of its tries another writer had changed the item between the
 * read and the store. Nothing was stored by it, and it may be called again.
 */
public final class UpdateConflictException extends RuntimeException {

    private final String key;
    private final int tries;

    UpdateConflictException(String key, int tries, boolean hidesKey) {
        super("other writers changed the item at each of " + tries + " tries"
                + (hidesKey ? "" : ": \"" + key + '"')
                + "; call update again, allow more tries, or write the item from fewer places");
        this.key = key;
        this.tries = tries;
    }

    /** The item's key. */
    public String key() {
        return key;
    }

    /** How often it was tried. */
    public int tries() {
        return tries;
    }
}
