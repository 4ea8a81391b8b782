// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.machine;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Facts of processes under {@code /proc} of Linux, see proc(5); zeros where there is no such folder.
 * Threading: stateless.
 */
public final class ProcessFiles {

    /** Number of ticks a second in files of {@code /proc}, regardless of the kernel's clock. */
    private static final double TICKS_A_SECOND = 100;

    /** Index of the user time in the fields after the name in brackets; the system time follows. */
    private static final int USER = 11;

    private static final int SYSTEM = 12;

    private ProcessFiles() {}

    /** Returns the user and system CPU time of the process in seconds; 0 if it is not known. */
    public static double cpuSeconds(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", String.valueOf(pid), "stat"));
            // "id (name) state ...": the name may hold anything.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return (Long.parseLong(fields[USER]) + Long.parseLong(fields[SYSTEM])) / TICKS_A_SECOND;
        } catch (IOException e) {
            return 0;
        }
    }

    /** Returns context switches of all threads of this process that live, voluntary or not. */
    public static long ownSwitches() {
        long switches = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path thread : threads) {
                switches += status(thread, "ctxt_switches")
                        .mapToLong(Long::parseLong)
                        .sum();
            }
        } catch (IOException e) {
            return 0;
        }
        return switches;
    }

    /** Returns a line of {@code /proc/self/status} without its name; empty if there is none. */
    public static String ownStatus(String name) {
        return status(Path.of("/proc/self"), name).findFirst().orElse("");
    }

    /** Returns the lines of a status whose names end with {@code name}, without these; none of a thread that ended. */
    private static Stream<String> status(Path thread, String name) {
        try {
            return Files.readAllLines(thread.resolve("status")).stream()
                    .filter(line -> line.contains(name + ":"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip());
        } catch (IOException e) {
            return Stream.empty();
        }
    }
}
