// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Four processes with sixteen threads each want the same value. */
@MemcachedTest
@Timeout(120)
class OneLoaderIT {

    private static final int PROCESSES = 4;
    private static final int THREADS = 16;

    @Test
    void oneThreadOfAllProcessesLoads(MemcachedServer server) throws IOException {
        List<Process> processes = new ArrayList<>();
        try {
            for (int i = 0; i < PROCESSES; i++) {
                processes.add(start(server.host() + ':' + server.port()));
            }
            for (Process process : processes) {
                assertThat(process.inputReader().readLine()).isEqualTo("ready");
            }
            for (Process process : processes) {
                process.outputWriter().write("go\n");
                process.outputWriter().flush();
            }
            List<String> said = new ArrayList<>();
            for (Process process : processes) {
                BufferedReader output = process.inputReader();
                output.lines().forEach(said::add);
            }

            assertThat(said).filteredOn(line -> line.equals("loaded")).hasSize(1);
            assertThat(said).filteredOn(line -> line.startsWith("values [by ")).hasSize(PROCESSES);
            assertThat(said.stream().distinct()).hasSize(2);
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }

    private static Process start(String server) throws IOException {
        return new ProcessBuilder(Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                LoadingProcess.class.getName(),
                                server,
                                String.valueOf(THREADS))
                        .toList())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
