// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.contender.ContenderKind;
import io.memshard.bench.contender.ContenderSettings;
import io.memshard.bench.lab.data.ForkFile;
import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.data.Forks;
import io.memshard.bench.lab.data.Measure;
import io.memshard.bench.lab.data.RunFacts;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.venus.Clients;
import io.memshard.bench.machine.Profile;
import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.Condition.Callers;
import io.memshard.bench.result.Condition.Load;
import io.memshard.bench.result.Csv;
import io.memshard.bench.result.Environment;
import io.memshard.bench.result.SliceResult;
import io.memshard.bench.result.SliceResult.Figure;
import io.memshard.bench.statistics.Sample;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Run of the experiment {@link Clients} as a comparison: each fork is a slice. Threading: stateless. */
public final class ClientRun {

    private static final InetSocketAddress UNKNOWN = InetSocketAddress.createUnresolved("unknown", 0);

    private static final Map<Figure, Measure> SAME = new EnumMap<>(Map.of(
            Figure.OPERATIONS, Measure.CYCLES,
            Figure.ERRORS, Measure.ERRORS,
            Figure.TIMEOUTS, Measure.TIMEOUTS,
            Figure.HICCUP_P99_US, Measure.HICCUP_P99_US,
            Figure.HICCUP_MAX_US, Measure.HICCUP_MAX_US,
            Figure.P50_US, Measure.P50_US,
            Figure.P99_US, Measure.P99_US,
            Figure.P999_US, Measure.P999_US,
            Figure.MAX_US, Measure.LONGEST_US));

    private ClientRun() {}

    /** Returns the comparison in {@code folder}; empty if the folder holds no run of clients. */
    public static Optional<ComparisonResult> read(Path folder) {
        Path facts = folder.resolve(RunFacts.NAME);
        Path rows = folder.resolve(ForkFile.NAME);
        if (!Csv.isThere(facts) || !Csv.isThere(rows)) {
            return Optional.empty();
        }
        RunFacts run = RunFacts.read(facts);
        return run.get("experiments").equals(Clients.NAME)
                ? Optional.of(comparison(run, ForkFile.read(rows)))
                : Optional.empty();
    }

    private static ComparisonResult comparison(RunFacts run, List<ForkResult> rows) {
        Profile profile = Profile.valueOf(run.get("profiles").toUpperCase(Locale.ROOT));
        List<ForkResult> forks = List.copyOf(new Forks(rows, Clients.NAME, profile).all());
        String baseline = rows.stream()
                .map(row -> row.key().arm())
                .filter(arm -> arm.endsWith(ForkKey.AGAIN))
                .map(arm -> arm.substring(0, arm.length() - ForkKey.AGAIN.length()))
                .findFirst()
                .orElse("");
        List<String> contenders = Stream.concat(
                        Stream.of(baseline, baseline + ForkKey.AGAIN), new Clients().armNames().stream())
                .distinct()
                .filter(name -> rows.stream().anyMatch(row -> row.key().arm().equals(name)))
                .toList();
        double seconds = Sample.median(
                forks.stream().mapToDouble(fork -> fork.get(Measure.SECONDS)).toArray());
        ComparisonResult.Plan plan = new ComparisonResult.Plan(
                profile.label(),
                profile.poolSize(),
                forks.stream().mapToInt(fork -> fork.key().block()).max().orElse(0),
                1,
                Math.round(1e3 * seconds),
                Clients.KEYS,
                contenders,
                run.get("busy"));
        return new ComparisonResult(
                environment(run, forks),
                plan,
                forks.stream().map(fork -> slice(fork, profile)).toList());
    }

    private static Environment environment(RunFacts run, List<ForkResult> forks) {
        Map<String, String> facts = new HashMap<>(run.values());
        facts.put("jvm_flags", run.get("fork_flags"));
        facts.put("server", "the loopback interface");
        facts.put("server_source", run.get("server") + ", one for each fork");
        facts.put(
                "load_average",
                forks.isEmpty() ? "" : String.valueOf(forks.get(0).get(Measure.LOAD)));
        double steal = forks.stream()
                .mapToDouble(fork -> fork.get(Measure.STEAL))
                .average()
                .orElse(0);
        facts.put("steal", String.format(Locale.ROOT, "%.4f", steal));
        return new Environment(facts);
    }

    private static SliceResult slice(ForkResult fork, Profile profile) {
        Condition condition = fork.key().condition();
        double serverSeconds = fork.get(Measure.SERVER_CPU_SECONDS);
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        figures.put(Figure.ELAPSED_NS, 1e9 * fork.get(Measure.SECONDS));
        figures.put(Figure.CLIENT_CPU_NS, 1e9 * fork.get(Measure.CPU_SECONDS));
        figures.put(Figure.SERVER_CPU_NS, serverSeconds == 0 ? Double.NaN : 1e9 * serverSeconds);
        figures.put(Figure.WRONG_VALUES, 0.0);
        figures.put(
                Figure.JAIN,
                Sample.jain(fork.cyclesByCaller().stream()
                        .mapToDouble(Long::doubleValue)
                        .toArray()));
        SAME.forEach((figure, measure) -> figures.put(figure, fork.get(measure)));
        return new SliceResult(
                new io.memshard.bench.result.Condition(
                        condition.threads(),
                        Clients.valueSize(condition),
                        Load.valueOf(Clients.load(condition).name()),
                        condition.text(Condition.CALLERS, "").equals(Condition.VIRTUAL)
                                ? Callers.VIRTUAL
                                : Callers.BLOCKING,
                        1),
                fork.key().block(),
                1,
                fork.key().arm(),
                sockets(fork.key(), profile),
                figures);
    }

    /** Returns the number of sockets of a contender. Those of an unknown contender are those that were asked for. */
    private static int sockets(ForkKey key, Profile profile) {
        int asked = Clients.sockets(key.condition());
        ContenderSettings settings = new ContenderSettings(UNKNOWN, asked, profile.poolSize());
        return ContenderKind.of(key.openedArm())
                .map(kind -> kind.sockets(settings, key.condition().threads()))
                .orElse(asked);
    }
}
