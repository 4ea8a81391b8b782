// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.metrics;

import io.memshard.client.exception.MemcachedException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How a command or a call ended, as the value of a tag. */
final class Outcome {

    /** Without a failure. */
    static final String SUCCESS = "success";

    /** What else than the client has failed, such as a loader. */
    static final String OTHER = "error";

    private Outcome() {}

    /**
     * {@code success} for null; the kind of a {@link MemcachedException}, such as {@code value_too_large}; {@code
     * error} for another failure.
     */
    static String of(@Nullable Class<? extends Throwable> failure) {
        if (failure == null) {
            return SUCCESS;
        }
        if (!MemcachedException.class.isAssignableFrom(failure)) {
            return OTHER;
        }
        return failure.getSimpleName()
                .replaceFirst("^Memcached", "")
                .replaceFirst("Exception$", "")
                .replaceAll("(?<=.)(?=[A-Z])", "_")
                .toLowerCase(Locale.ROOT);
    }
}
