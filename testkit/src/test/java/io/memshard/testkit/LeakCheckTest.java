// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class LeakCheckTest {

    private static final Duration SHORT = Duration.ofMillis(50);

    @Test
    void aNewThreadOfTheNameThatKeepsRunningIsNamed() {
        CountDownLatch end = new CountDownLatch(1);
        new Thread(() -> awaitQuietly(end), "memshard-from-before").start();
        LeakCheck leaks = LeakCheck.start();
        new Thread(() -> awaitQuietly(end), "another").start();
        leaks.assertNothingLeft();
        new Thread(() -> awaitQuietly(end), "memshard-left-behind").start();
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> leaks.assertNothingLeft(SHORT))
                .withMessageEndingWith(": thread memshard-left-behind");
        end.countDown();
        leaks.assertNothingLeft();
    }

    @Test
    void anOpenSocketIsCounted() throws IOException {
        Assumptions.assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "no /proc here");
        LeakCheck leaks = LeakCheck.start();
        ServerSocket socket = new ServerSocket(0);
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> leaks.assertNothingLeft(SHORT))
                .withMessageContaining("socket:[");
        socket.close();
        leaks.assertNothingLeft();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
