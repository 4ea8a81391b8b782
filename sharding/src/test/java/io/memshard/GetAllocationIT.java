// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.memshard.client.MemcachedClient;
import io.memshard.testkit.EmbeddedMemcached;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A blocking get allocates little on its thread. */
@Timeout(120)
class GetAllocationIT {

    private static final int VALUE_BYTES = 100;

    /** What a get of that value allocates, of which the value with its header is 120. */
    private static final long MOST_BYTES = 248;

    /** In a JVM with both compilers, unlike those of tests: the second one removes objects that do not escape. */
    @Test
    void blockingGetAllocatesAtMost248Bytes() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Application.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
        long bytes = Long.parseLong(output.lines().reduce("", (before, line) -> line));
        assertThat(bytes).as("bytes a get").isBetween((long) VALUE_BYTES, MOST_BYTES);
    }

    /** Prints how many bytes a get allocates in the round with the fewest, once the JVM is warm. */
    static final class Application {

        private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
        private static final Duration PATIENCE = Duration.ofSeconds(90);
        private static final int GETS = 1_000;

        private Application() {}

        public static void main(String[] args) {
            try (EmbeddedMemcached server = EmbeddedMemcached.start();
                    Memshard memshard = Memshard.builder()
                            .servers(server.host() + ":" + server.port())
                            .requestTimeout(PATIENCE)
                            .connectTimeout(PATIENCE)
                            .build()) {
                MemcachedClient<byte[]> client = memshard.client();
                client.set("key", new byte[VALUE_BYTES], Duration.ofHours(1));
                long least = Long.MAX_VALUE;
                long end = System.nanoTime() + PATIENCE.toNanos();
                while (least > MOST_BYTES && end - System.nanoTime() > 0) {
                    least = Math.min(least, bytesOfGet(client));
                }
                System.out.println(least);
            }
        }

        private static long bytesOfGet(MemcachedClient<byte[]> client) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < GETS; i++) {
                if (client.get("key") == null) {
                    throw new IllegalStateException("the item is gone");
                }
            }
            return (THREADS.getCurrentThreadAllocatedBytes() - before) / GETS;
        }
    }
}
