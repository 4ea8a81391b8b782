// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.load;

/**
 * Thrown when a {@link ValueLoader} has thrown a checked exception, which is the cause. If the cause is an
 * {@link InterruptedException}, the thread's interrupt status is set again.
 */
public final class ValueLoaderException extends RuntimeException {

    /** Creates an exception whose message shows the key as {@code shownKey}. */
    public ValueLoaderException(String shownKey, Exception cause) {
        super("the loader of " + shownKey + " failed: " + cause, cause);
    }
}
