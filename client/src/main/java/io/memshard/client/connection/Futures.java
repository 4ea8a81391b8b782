package io.memshard.client.connection;

import io.memshard.client.exception.MemcachedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** What futures make of failures. */
public final class Futures {

    private Futures() {}

    /** What a stage failed with, out of the wrapping that it has where the stage depends on another. */
    public static Throwable cause(Throwable thrown) {
        Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : null;
        return cause == null ? thrown : cause;
    }

    /** Adds what went wrong second to what is thrown. */
    public static void suppress(Throwable second, Throwable thrown) {
        if (second != thrown) {
            thrown.addSuppressed(second);
        }
    }

    /** The result of a stage that is over; a failure of ours is thrown as it is. */
    public static <T> T result(CompletableFuture<T> over) {
        try {
            return over.join();
        } catch (CompletionException e) {
            if (cause(e) instanceof MemcachedException known) {
                throw known;
            }
            throw e;
        }
    }
}
