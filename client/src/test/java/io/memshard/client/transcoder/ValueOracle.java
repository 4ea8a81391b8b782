// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.sun.management.ThreadMXBean;
import io.memshard.client.exception.MemcachedDecodingException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

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
     */
    public record Outcome(String text, long allocated) {

        public boolean isRead() {
            return text.equals(READ);
        }

        /** Asserts that the value is read, or refused for a reason that contains this word. */
        public Outcome assertIs(@Nullable String reason) {
            if (reason == null) {
                assertThat(text).isEqualTo(READ);
            } else {
                assertThat(text).isNotEqualTo(READ).contains(reason);
            }
            return this;
        }

        public void assertTakesNoMoreThan(long bytes) {
            // The fuzzer allocates on this thread too; a finding is read again without it.
            long fuzzers = System.getenv("JAZZER_FUZZ") == null ? 0 : 256L << 20;
            assertThat(allocated).as("bytes allocated").isLessThan(bytes + fuzzers);
        }
    }

    private ValueOracle() {}

    /** Decodes a value made to harm the reader, which hangs where a limit fails. */
    public static Outcome decodeAttack(Transcoder<?> transcoder, byte[] data, int flags) {
        assertThat(data.length).isLessThan(MIB);
        return assertTimeoutPreemptively(Duration.ofMinutes(2), () -> decode(transcoder, data, flags));
    }

    /** Decodes a value twice. The second time is measured, because the first also loads classes. */
    public static Outcome decode(Transcoder<?> transcoder, byte[] data, int flags) {
        String first = text(transcoder, data, flags);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        String text = text(transcoder, data, flags);
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        assertThat(text).isEqualTo(first);
        return new Outcome(text, allocated);
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
