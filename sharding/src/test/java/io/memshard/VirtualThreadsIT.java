// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.MemcachedClient;
import io.memshard.client.TimeToLive;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/**
 * Virtual threads wait without holding a carrier. Their API is reached by reflection, because the code is for Java 17.
 */
@MemcachedTest
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with Java 21")
class VirtualThreadsIT {

    private static final int THREADS = 200;
    private static final int CALLS = 20;
    private static final String PINNED = "jdk.VirtualThreadPinned";

    private final MemcachedServer server;

    @TempDir
    private Path folder;

    VirtualThreadsIT(MemcachedServer server) {
        this.server = server;
    }

    @Test
    void noCallOfAVirtualThreadPinsItsCarrier() throws Exception {
        try (Memshard memshard =
                Fleet.patient().servers(server.host() + ":" + server.port()).build()) {
            MemcachedClient<String> client = memshard.client(Transcoder.utf8());
            client.set("virtual", "value", TimeToLive.NEVER);
            Path file = folder.resolve("pinned.jfr");
            AtomicInteger right = new AtomicInteger();
            Instant warm;
            try (Recording recording = new Recording()) {
                recording.enable(PINNED).withThreshold(Duration.ZERO);
                recording.start();
                // The first calls open sockets and load classes, which may pin; the calls after them must not.
                inVirtualThreads(() -> client.get("virtual"));
                warm = Instant.now();
                inVirtualThreads(() -> {
                    for (int i = 0; i < CALLS; i++) {
                        if ("value".equals(client.get("virtual"))) {
                            right.incrementAndGet();
                        }
                    }
                });
                recording.stop();
                recording.dump(file);
            }

            assertThat(right).hasValue(THREADS * CALLS);
            assertThat(Files.size(file)).isPositive();
            List<RecordedEvent> pinned = RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getEventType().getName().equals(PINNED))
                    .filter(event -> event.getStartTime().isAfter(warm))
                    .toList();
            assertThat(pinned).isEmpty();
        }
    }

    private static void inVirtualThreads(Runnable task) throws Exception {
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            threads.add((Thread) start.invoke(null, task));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
