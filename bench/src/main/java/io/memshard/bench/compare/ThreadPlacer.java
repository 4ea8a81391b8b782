// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.compare;

import io.memshard.bench.command.BenchException;
import io.memshard.bench.contender.Contender;
import io.memshard.bench.machine.ProcessFiles;
import io.memshard.bench.machine.Taskset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Placement on processors of the client's threads that read replies, and of the servers' threads that write them.
 *
 * <p>An experiment shows which threads belong together. Each caller calls alone for a moment: the server's thread that
 * works during this time serves that caller. If another thread of the client works as well, it reads the replies;
 * otherwise the caller reads them.
 *
 * <p>Threading: confined to one thread, while no caller calls. Failure: {@link BenchException}.
 */
final class ThreadPlacer {

    private static final Duration ALONE = Duration.ofMillis(60);

    /** Share of the server's CPU time above which one of its threads counts as the only one that worked. */
    private static final double ONLY = 0.8;

    /**
     * Maximum number of attempts: the server may also work for another client, or do maintenance, in the same moment.
     */
    private static final int TRIES = 10;

    /** Minimum CPU time of an I/O thread that reads replies, as a share of the CPU time of the server's thread. */
    private static final double READS = 0.5;

    /**
     * Prefixes of the names of threads that are not I/O threads of a client: callers, and the threads of this program
     * and of the JVM. The main thread is "java".
     */
    private static final List<String> OTHERS = List.of("caller", "hiccup", "C1 ", "C2 ", "G1 ", "GC ", "VM ", "java");

    private final List<Long> servers;
    private final int processors = Runtime.getRuntime().availableProcessors();
    private final Map<String, List<Pair>> pairs = new HashMap<>();
    private boolean isPinned;

    ThreadPlacer(List<Long> servers) {
        this.servers = servers;
    }

    /** Pair of a client thread and the server thread whose replies it reads, by their ids. */
    private record Pair(long reader, long worker) {}

    /** Finds the pairs of threads that belong to {@code contender}, and keeps them under {@code label}. */
    void learn(String label, CallerGroup group, Contender contender) {
        if (servers.isEmpty()) {
            throw new BenchException("--placement needs a server that is started here: leave out --server");
        }
        pairs.put(
                label,
                IntStream.range(0, group.size())
                        .mapToObj(caller -> pair(label, group, contender, caller))
                        .distinct()
                        .toList());
    }

    private Pair pair(String label, CallerGroup group, Contender contender, int caller) {
        for (int i = 0; i < TRIES; i++) {
            Map<Long, Long> workersBefore = ProcessFiles.threadCpuNanos(servers);
            Map<Long, Long> ownBefore = own();
            group.callAlone(caller, contender, ALONE);
            Map<Long, Long> worked = since(workersBefore, ProcessFiles.threadCpuNanos(servers));
            Map<Long, Long> own = since(ownBefore, own());
            long worker = busiest(worked, id -> true);
            double all = worked.values().stream().mapToDouble(Long::doubleValue).sum();
            long nanos = worked.getOrDefault(worker, 0L);
            if (nanos > ONLY * all) {
                return new Pair(reader(own, nanos), worker);
            }
        }
        throw new BenchException("several threads of the server answer one caller of " + label);
    }

    private static long reader(Map<Long, Long> own, long workerNanos) {
        Map<Long, String> names = ProcessFiles.ownThreadNames();
        long caller = busiest(own, id -> names.getOrDefault(id, "").equals("caller"));
        long other = busiest(own, id -> OTHERS.stream().noneMatch(names.getOrDefault(id, OTHERS.get(0))::startsWith));
        return own.getOrDefault(other, 0L) < READS * workerNanos ? caller : other;
    }

    private static Map<Long, Long> own() {
        return ProcessFiles.threadCpuNanos(List.of(ProcessHandle.current().pid()));
    }

    private static Map<Long, Long> since(Map<Long, Long> before, Map<Long, Long> after) {
        Map<Long, Long> nanos = new HashMap<>();
        after.forEach((id, end) -> nanos.put(id, end - before.getOrDefault(id, 0L)));
        return nanos;
    }

    private static long busiest(Map<Long, Long> nanos, Predicate<Long> among) {
        return nanos.keySet().stream()
                .filter(among)
                .max(Comparator.comparing(nanos::get))
                .orElse(-1L);
    }

    /** Pins the threads of a contender, or lets all threads run on all processors again. */
    void place(String label, ReaderPlacement placement) {
        if (isPinned) {
            String all = "0-" + (processors - 1);
            servers.forEach(server -> Taskset.pinProcess(all, server));
            Taskset.pinProcess(all, ProcessHandle.current().pid());
            isPinned = false;
        }
        if (placement == ReaderPlacement.FREE) {
            return;
        }
        isPinned = true;
        List<Long> workers = new ArrayList<>();
        for (Pair pair : Objects.requireNonNull(pairs.get(label))) {
            if (!workers.contains(pair.worker)) {
                workers.add(pair.worker);
                Taskset.pinThread(processor(workers.size() - 1), pair.worker);
            }
            int processor = workers.indexOf(pair.worker) + (placement == ReaderPlacement.AWAY ? 1 : 0);
            Taskset.pinThread(processor(processor), pair.reader);
        }
    }

    private String processor(int number) {
        return String.valueOf(number % processors);
    }
}
