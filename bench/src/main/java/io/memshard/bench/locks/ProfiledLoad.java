// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import io.memshard.bench.locks.Wait.WaitBucket;
import io.memshard.bench.machine.LoadEvent;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Profile of a load, and its waits by bucket: those of the callers separate from those of other threads. Threading:
 * immutable.
 */
public record ProfiledLoad(LockProfile profile, List<CallerWaits> waits) {

    /** Copies the list. */
    public ProfiledLoad {
        waits = List.copyOf(waits);
    }

    /** Call of a caller. */
    @FunctionalInterface
    public interface Call {

        /**
         * Calls once; {@code number} is the number of earlier calls of this caller. Returns whether the right result
         * came back.
         */
        boolean call(long number) throws Exception;
    }

    /**
     * Runs {@code threads} callers for {@code warmUp}, and then records them for {@code window}. Replaces the file
     * {@code recording}.
     */
    public static ProfiledLoad record(
            String name, int threads, IntFunction<Call> callers, Duration warmUp, Duration window, Path recording)
            throws IOException, InterruptedException {
        new LockProfiler(warmUp, window).record(new LockProfiler.Subject(name, 0, threads), callers, recording);
        return RecordingReader.read(recording);
    }

    /**
     * Returns the load in a recording with a {@link LoadEvent}, with its waits classified by the current rules.
     *
     * @throws IOException if the file cannot be read or holds no load
     */
    public static ProfiledLoad read(Path recording) throws IOException {
        return RecordingReader.read(recording);
    }

    /**
     * All waits of one bucket that began in the window, of the callers or of the system's own threads. Threading:
     * immutable.
     */
    public record CallerWaits(WaitBucket bucket, boolean ofCallers, long waits, double totalMillis) {}
}
