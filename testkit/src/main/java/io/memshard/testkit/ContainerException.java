// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import org.jspecify.annotations.Nullable;

/** Failure to start a container, or to execute a command on it. */
public final class ContainerException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /** Status of a failure without an answer of the engine. */
    static final int NO_ANSWER = 0;

    private static final int SERVER_ERROR = 500;

    private final int status;

    ContainerException(int status, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.status = status;
    }

    /**
     * Returns whether the engine is unable to comply: it failed itself, or did not answer. Otherwise it rejected the
     * request, as it does if the container has ended.
     */
    public boolean isInabilityOfEngine() {
        return status == NO_ANSWER || status >= SERVER_ERROR;
    }
}
