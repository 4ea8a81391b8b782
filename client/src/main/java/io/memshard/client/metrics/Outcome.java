// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.metrics;

import io.memshard.client.exception.MemcachedException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

final class Outcome {

    static final String SUCCESS = "success";
    static final String OTHER = "error";

    private Outcome() {}

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
