// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * Stand-in for an exception of a transcoder, with the same stack trace and the class name as its message. The original
 * message is omitted because it may quote the value: {@code For input string: "secret"}.
 */
@SuppressWarnings("serial") // Not meant to be serialized, like the other exceptions.
final class WithoutMessage extends RuntimeException {

    /** Maximum length of the chain of causes, which may be cyclic. */
    private static final int MOST_CAUSES = 8;

    private WithoutMessage(Throwable thrown, @Nullable Throwable cause) {
        super(thrown.getClass().getName(), cause, false, true);
        setStackTrace(thrown.getStackTrace());
    }

    /** Returns the same chain of causes without messages; null for null. */
    static @Nullable Throwable of(@Nullable Throwable thrown) {
        return of(thrown, MOST_CAUSES);
    }

    private static @Nullable Throwable of(@Nullable Throwable thrown, int most) {
        if (thrown == null || most == 0) {
            return null;
        }
        return thrown instanceof WithoutMessage ? thrown : new WithoutMessage(thrown, of(thrown.getCause(), most - 1));
    }

    /** Does nothing: this exception has the stack trace of the original. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
