// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import io.memshard.bench.locks.Wait.WaitBucket;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Waits of the threads of one system with one number of callers. Threading: immutable.
 *
 * @param operations calls that returned the right value; no measure of throughput, because each wait wrote an event
 * @param errors calls that failed
 * @param waits for each {@link WaitBucket} the waits of callers, and those of other threads; then the places with the
 *     longest total waits, the longest first, without {@code IDLE} waits
 * @param dataLost true if JFR dropped events, so that the counts are too low
 */
public record LockProfile(
        String contender,
        int threads,
        double seconds,
        long operations,
        long errors,
        List<Waits> waits,
        boolean dataLost) {

    /**
     * Returns the load in a recording with a {@link LoadEvent}, with its waits classified by the current rules.
     *
     * @throws IOException if the file cannot be read or holds no load
     */
    public static LockProfile read(Path recording) throws IOException {
        return RecordingReader.read(recording);
    }

    /**
     * Waits of one bucket that began in the load. Threading: immutable.
     *
     * @param ofCallers true for threads that call, false for the system's own
     * @param lockClass class of the monitor or blocker; empty if a thread parked without a blocker, and for a bucket
     * @param frame first frame outside the JDK, {@code package.Type.method}; empty for all waits of the bucket
     */
    public record Waits(
            WaitBucket bucket, boolean ofCallers, String lockClass, String frame, long number, double totalMillis) {

        /** Returns whether these are all waits of their bucket. */
        public boolean isTotal() {
            return frame.isEmpty();
        }
    }
}
