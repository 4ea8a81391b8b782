package io.memshard.client;

import java.util.concurrent.CompletionException;

/** What futures make of failures. */
final class Futures {

    private Futures() {}

    /** What a stage failed with, out of the wrapping that it has where the stage depends on another. */
    static Throwable cause(Throwable thrown) {
        Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : null;
        return cause == null ? thrown : cause;
    }
}
