// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * What a transcoder threw, with its class for a message, and its stack trace. Its own message is left out, because it
 * may quote the value: {@code For input string: "secret"}.
 */
@SuppressWarnings("serial") // As the others, it is not meant to be written.
final class WithoutMessage extends RuntimeException {

    /** Where a chain of causes is cut, which may have no end. */
    private static final int MOST_CAUSES = 8;

    private WithoutMessage(Throwable thrown, @Nullable Throwable cause) {
        super(thrown.getClass().getName(), cause, false, true);
        setStackTrace(thrown.getStackTrace());
    }

    /** The same without messages; null for null. */
    static @Nullable Throwable of(@Nullable Throwable thrown) {
        return of(thrown, MOST_CAUSES);
    }

    private static @Nullable Throwable of(@Nullable Throwable thrown, int most) {
        if (thrown == null || most == 0) {
            return null;
        }
        return thrown instanceof WithoutMessage ? thrown : new WithoutMessage(thrown, of(thrown.getCause(), most - 1));
    }

    /** Its own trace would be that of the place where it is made. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
