// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.TimeToLive;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.testkit.fault.ScriptedConnection;
import io.memshard.testkit.fault.ScriptedServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that stops costs a client of default settings no more than docs/connections.md says. */
@Timeout(180)
class SmallHeapIT {

    /** What is promised for the client, 64 MiB, with what the JVM and the callers of the test need themselves. */
    private static final List<String> SMALL = List.of("-XX:+UseSerialGC", "-Xmx64m", "-XX:MaxDirectMemorySize=16m");

    @Test
    void stoppedServerDoesNotUseTheHeapUp() throws Exception {
        try (ScriptedServer server = ScriptedServer.start().onConnection(SmallHeapIT::greetAndStop)) {
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(SMALL);
            command.addAll(List.of(
                    "-cp", System.getProperty("java.class.path"), Application.class.getName(), "" + server.port()));
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(output).isZero();
            assertThat(output).contains("timed out and").contains("were refused");
        }
    }

    private static void greetAndStop(ScriptedConnection connection) throws InterruptedException {
        try {
            connection.greet();
        } catch (AssertionError e) {
            // The application has ended meanwhile.
            return;
        }
        connection.stall().ignore();
    }

    /**
     * Stores values of 1 MiB and of 100 KiB, each an array of its own, for a second at least, with calls of four
     * threads and with futures. The connections are replaced a few times meanwhile.
     */
    static final class Application {

        private static final int[] VALUE_BYTES = {1024 * 1024 - 512, 100 * 1024};
        private static final long NANOS = Duration.ofSeconds(1).toNanos();

        private final long endNanos = System.nanoTime() + NANOS;

        private final LongAdder timedOut = new LongAdder();
        private final LongAdder refused = new LongAdder();

        private Application() {}

        public static void main(String[] args) throws Exception {
            Application application = new Application();
            Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
                failure.printStackTrace();
                Runtime.getRuntime().halt(3);
            });
            try (Memshard memshard = Memshard.builder()
                    .servers("127.0.0.1:" + args[0])
                    .requestTimeout(Duration.ofMillis(50)) // Time-outs and losses are wanted.
                    .livenessTimeout(Duration.ofMillis(300)) // Likewise.
                    .build()) {
                application.store(memshard);
            }
            System.out.println(application.timedOut + " timed out and " + application.refused + " were refused");
        }

        private void store(Memshard memshard) throws InterruptedException {
            List<Thread> threads = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                threads.add(new Thread(() -> call(memshard.client())));
            }
            threads.forEach(Thread::start);
            AsyncMemcachedClient<byte[]> async = memshard.asyncClient();
            for (int i = 0; !isOver(); i++) {
                async.set("key" + i, value(i), TimeToLive.NEVER).whenComplete((stored, failure) -> {
                    count(failure instanceof CompletionException ? failure.getCause() : failure);
                });
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }

        private void call(MemcachedClient<byte[]> client) {
            for (int i = 0; !isOver(); i++) {
                try {
                    client.set("key" + i, value(i), TimeToLive.NEVER);
                } catch (MemcachedException e) {
                    count(e);
                }
            }
        }

        private boolean isOver() {
            return endNanos - System.nanoTime() <= 0 && timedOut.sum() > 0 && refused.sum() > 0;
        }

        private static byte[] value(int index) {
            return new byte[VALUE_BYTES[index % VALUE_BYTES.length]];
        }

        private void count(Throwable failure) {
            if (failure instanceof MemcachedTimeoutException) {
                timedOut.increment();
            } else if (failure instanceof MemcachedOverloadException) {
                refused.increment();
            } else if (!(failure instanceof MemcachedException)) {
                failure.printStackTrace();
                Runtime.getRuntime().halt(4);
            }
        }
    }
}
