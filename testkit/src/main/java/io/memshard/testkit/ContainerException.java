// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import org.jspecify.annotations.Nullable;

/** Failure to start a container, or to execute a command on it. */
public final class ContainerException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /** Status of a failure without an answer of the engine. */
    static final int NO_ANSWER = 0;

    private static final int CONFLICT = 409;

    private final int status;

    ContainerException(int status, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.status = status;
    }

    /**
     * Returns whether the engine rejected the request because the container has ended. Otherwise the engine failed
     * itself, did not answer, or cannot execute the request on its machine.
     */
    public boolean isOfEndedContainer() {
        return status == CONFLICT && String.valueOf(getMessage()).contains("is not running");
    }
}
