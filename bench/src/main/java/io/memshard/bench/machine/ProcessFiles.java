// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Facts about processes, most of them from {@code /proc} of Linux, see proc(5). Without {@code /proc}, those are 0 or
 * empty. Threading: stateless.
 */
public final class ProcessFiles {

    private ProcessFiles() {}

    /** Returns the user and system CPU time of the process in seconds; 0 if it is not known. */
    public static double cpuSeconds(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().totalCpuDuration())
                .map(used -> used.toNanos() / 1e9)
                .orElse(0.0);
    }

    /** Returns the number of context switches of all live threads of this process, voluntary or not. */
    public static long ownSwitches() {
        return ownThreads("status", "ctxt_switches");
    }

    /** Returns the number of moves of live threads of this process from one processor to another. */
    public static long ownMigrations() {
        return ownThreads("sched", "nr_migrations");
    }

    /**
     * Returns the sum of the values whose names end with {@code name}, over {@code file} of each thread of this
     * process.
     */
    private static long ownThreads(String file, String name) {
        return threads("self")
                .flatMap(thread -> lines(thread.resolve(file), name))
                .mapToLong(Long::parseLong)
                .sum();
    }

    /**
     * Returns the number of interrupts that processors of this machine sent one another to reschedule or to call a
     * function.
     */
    public static long interrupts() {
        Path file = Path.of("/proc/interrupts");
        return Stream.of("RES", "CAL")
                .flatMap(name -> lines(file, name))
                .flatMap(line -> Stream.of(line.split("\\s+", -1)))
                .filter(word -> !word.isEmpty() && Character.isDigit(word.charAt(0)))
                .mapToLong(Long::parseLong)
                .sum();
    }

    /**
     * Returns the CPU time in nanoseconds of each thread of the processes {@code pids}, by thread id; empty if unknown.
     */
    public static Map<Long, Long> threadCpuNanos(List<Long> pids) {
        Map<Long, Long> nanos = new HashMap<>();
        texts(pids.stream().flatMap(pid -> threads(String.valueOf(pid))), "schedstat")
                .forEach((thread, text) -> nanos.put(thread, Long.valueOf(text.split(" ", 2)[0])));
        return nanos;
    }

    /** Returns the text of {@code file} of each thread, by thread id. */
    private static Map<Long, String> texts(Stream<Path> threads, String file) {
        Map<Long, String> texts = new HashMap<>();
        threads.forEach(thread -> {
            try {
                texts.put(
                        Long.valueOf(thread.getFileName().toString()),
                        Files.readString(thread.resolve(file)).strip());
            } catch (IOException e) {
                // The thread has ended.
            }
        });
        return texts;
    }

    /** Returns the folders of the threads of a process; none if it has ended. */
    private static Stream<Path> threads(String process) {
        try (Stream<Path> threads = Files.list(Path.of("/proc", process, "task"))) {
            return threads.toList().stream();
        } catch (IOException e) {
            return Stream.empty();
        }
    }

    /**
     * Returns the value of the first line of {@code /proc/self/status} whose name ends with {@code name}; empty if
     * there is none.
     */
    public static String ownStatus(String name) {
        return lines(Path.of("/proc/self/status"), name).findFirst().orElse("");
    }

    /**
     * Returns the values of the lines of {@code file} whose names end with {@code name}; none if the thread of the file
     * has ended. A name precedes the first colon of its line; blanks around it do not count.
     */
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
