// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.memshard.client.exception.MemcachedDecodingException;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * What every transcoder must do with every value: read it, or throw a {@link MemcachedDecodingException} with its
 * flags, and take memory in proportion to its bytes.
 */
public final class ValueOracle {

    /** The default of {@code maxValueBytes}. */
    public static final int MIB = 1 << 20;

    /** What the JDK allocates for each byte of the smallest objects, nearly all of it garbage at once. */
    public static final int OF_THE_JDK = 50;

    /** The outcome of a value that is read. */
    public static final String READ = "read";

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /**
     * What became of a value.
     *
     * @param text {@link #READ}, or the message of the failure
     * @param allocated the bytes that it took
     * @param time the time of a processor that it took
     */
    public record Outcome(String text, long allocated, Duration time) {

        public boolean isRead() {
            return text.equals(READ);
        }

        public void assertTakesNoMoreThan(long bytes) {
            // The fuzzer allocates on this thread too; a finding is read again without it.
            long fuzzers = System.getenv("JAZZER_FUZZ") == null ? 0 : 256L << 20;
            assertThat(allocated).as("bytes allocated").isLessThan(bytes + fuzzers);
        }

        public void assertTakesNoMoreThan(Duration most) {
            assertThat(time).as("time of a processor").isLessThan(most);
        }

        private Outcome least(Outcome other) {
            return new Outcome(
                    text, Math.min(allocated, other.allocated), time.compareTo(other.time) < 0 ? time : other.time);
        }
    }

    private ValueOracle() {}

    /**
     * Decodes a value several times. The least is what it takes: the first time also loads classes, and a fuzzer
     * allocates on this thread now and then.
     */
    public static Outcome decode(Transcoder<?> transcoder, byte[] data, int flags) {
        Outcome least = measured(transcoder, data, flags);
        for (int again = 0; again < 2; again++) {
            Outcome next = measured(transcoder, data, flags);
            assertThat(next.text).isEqualTo(least.text);
            least = least.least(next);
        }
        return least;
    }

    private static Outcome measured(Transcoder<?> transcoder, byte[] data, int flags) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        long cpuNanos = THREADS.getCurrentThreadCpuTime();
        String text = text(transcoder, data, flags);
        return new Outcome(
                text,
                THREADS.getCurrentThreadAllocatedBytes() - before,
                Duration.ofNanos(THREADS.getCurrentThreadCpuTime() - cpuNanos));
    }

    private static String text(Transcoder<?> transcoder, byte[] data, int flags) {
        try {
            assertThat((Object) transcoder.decode(data.clone(), flags)).isNotNull();
            return READ;
        } catch (MemcachedDecodingException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
