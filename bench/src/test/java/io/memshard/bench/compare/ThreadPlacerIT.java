// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.memshard.bench.contender.Contender;
import io.memshard.bench.contender.ContenderKind;
import io.memshard.bench.contender.ContenderSettings;
import io.memshard.bench.machine.ProcessFiles;
import io.memshard.bench.result.Condition;
import io.memshard.bench.server.BenchServer;
import io.memshard.bench.server.Keyspace;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@NeedsProgram(Program.MEMCACHED)
@Tag("deep")
@Timeout(120)
class ThreadPlacerIT {

    private static final Keyspace KEYS = new Keyspace(100, 100);
    private static final int CALLERS = 4;

    @ParameterizedTest
    @CsvSource({"MEMSHARD_THREAD_ID, caller, 2", "SOCKET_PER_THREAD, caller, 2", "XMEMCACHED, Xmemcached-Reac, 1"})
    void readersArePinnedBesideTheirWorkerOrAwayFromIt(ContenderKind kind, String reader, int processors) {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "one processor");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/taskset")), "no taskset");
        Condition condition = new Condition(CALLERS, 100, Condition.Load.GET, Condition.Callers.BLOCKING, 1);
        try (MemcachedProcess memcached = MemcachedProcess.start();
                BenchServer server = BenchServer.at(List.of(memcached.address()));
                Contender contender = kind.open(new ContenderSettings(server.addresses(), 2, 2, null));
                CallerGroup group = new CallerGroup(condition, KEYS, 1, List.of(memcached.pid()))) {
            KEYS.fill(server);
            ThreadPlacer placer = new ThreadPlacer(List.of(memcached.pid()));
            placer.learn("it", group, contender);

            placer.place("it", ReaderPlacement.BESIDE);
            Set<String> beside = pinned(ProcessHandle.current().pid(), reader);
            assertThat(beside).hasSize(processors).isEqualTo(pinned(memcached.pid(), ""));
            placer.place("it", ReaderPlacement.AWAY);
            Set<String> away = pinned(ProcessHandle.current().pid(), reader);
            assertThat(away).hasSize(processors);
            if (processors == 1) {
                assertThat(away).doesNotContainAnyElementsOf(pinned(memcached.pid(), ""));
            }
            placer.place("it", ReaderPlacement.FREE);
            assertThat(pinned(ProcessHandle.current().pid(), "")).isEmpty();
            assertThat(pinned(memcached.pid(), "")).isEmpty();
        }
    }

    /** Returns the processors to which single threads of a process are pinned. */
    private static Set<String> pinned(long pid, String name) {
        return ProcessFiles.threadCpuNanos(List.of(pid)).keySet().stream()
                .map(thread -> Path.of("/proc", String.valueOf(pid), "task", String.valueOf(thread), "status"))
                .map(ThreadPlacerIT::lines)
                .filter(lines -> lines.stream().anyMatch(line -> line.startsWith("Name:\t" + name)))
                .flatMap(List::stream)
                .filter(line -> line.matches("Cpus_allowed_list:\\s+\\d+"))
                .collect(Collectors.toSet());
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of(); // The thread has ended.
        }
    }
}
