// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import io.memshard.bench.locks.Wait.WaitBucket;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Profile of a load, and its waits by bucket: those of the callers separate from those of other threads. Threading:
 * immutable.
 */
public record ProfiledLoad(LockProfile profile, List<CallerWaits> waits) {

    /** Copies the list. */
    public ProfiledLoad {
        waits = List.copyOf(waits);
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
     * All waits of one bucket that began in the load, of the callers or of the system's own threads. Threading:
     * immutable.
     */
    public record CallerWaits(WaitBucket bucket, boolean ofCallers, long waits, double totalMillis) {}
}
