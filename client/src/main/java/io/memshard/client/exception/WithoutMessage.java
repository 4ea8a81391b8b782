// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/** Copy of a transcoder's exception without the message, which may quote the value. */
@SuppressWarnings("serial") // Not meant to be serialized, like the other exceptions.
final class WithoutMessage extends RuntimeException {

    private static final int MOST_CAUSES = 8;

    private WithoutMessage(Throwable thrown, @Nullable Throwable cause) {
        super(thrown.getClass().getName(), cause, false, true);
        setStackTrace(thrown.getStackTrace());
    }

    static @Nullable Throwable of(@Nullable Throwable thrown) {
        return of(thrown, MOST_CAUSES);
    }

    private static @Nullable Throwable of(@Nullable Throwable thrown, int most) {
        if (thrown == null || most == 0) {
            return null;
        }
        return thrown instanceof WithoutMessage ? thrown : new WithoutMessage(thrown, of(thrown.getCause(), most - 1));
    }
}
