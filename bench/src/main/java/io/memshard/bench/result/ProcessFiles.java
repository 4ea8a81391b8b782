// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Facts about processes, mostly from {@code /proc} of Linux, see proc(5). Unknown facts are 0 or empty. */
public final class ProcessFiles {

    private ProcessFiles() {}

    public static double cpuSeconds(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().totalCpuDuration())
                .map(used -> used.toNanos() / 1e9)
                .orElse(0.0);
    }

    /** Sets the timer slack of this thread to 1 ns. By default, Linux may wake a sleeping thread 50 us late. */
    public static void wakePrecisely() {
        try {
            Files.writeString(Path.of("/proc/thread-self/timerslack_ns"), "1");
        } catch (IOException | RuntimeException e) {
            // If threads wake up late, the measured delay of free callers shows this.
        }
    }

    public static long ownSwitches() {
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            return threads.flatMap(thread -> lines(thread.resolve("status"), "ctxt_switches"))
                    .mapToLong(Long::parseLong)
                    .sum();
        } catch (IOException e) {
            return 0;
        }
    }

    /** Returns the value of the first key in {@code file} that ends with {@code name}; empty if no key matches. */
    public static String value(String file, String name) {
        return lines(Path.of(file), name).findFirst().orElse("");
    }

    private static Stream<String> lines(Path file, String name) {
        try {
            return Files.readAllLines(file).stream()
                    .filter(line -> line.indexOf(':') >= 0)
                    .filter(line -> line.substring(0, line.indexOf(':')).strip().endsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip());
        } catch (IOException e) {
            return Stream.empty();
        }
    }
}
