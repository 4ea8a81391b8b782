// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.load;

/**
 * A {@link ValueLoader} threw a checked exception, which is the cause. If that is an {@link InterruptedException}, the
 * thread's interrupt flag is set again.
 */
public final class ValueLoaderException extends RuntimeException {

    /** Creates the failure of the loader of a key, which is shown as {@code shownKey}. */
    public ValueLoaderException(String shownKey, Exception cause) {
        super("the loader of " + shownKey + " failed: " + cause, cause);
    }
}
