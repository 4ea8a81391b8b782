// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.lab.data.ForkFile;
import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.Forks;
import io.memshard.bench.lab.data.RunFacts;
import io.memshard.bench.lab.data.WaitRow;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.lab.judge.Claims;
import io.memshard.bench.lab.judge.Claims.Claim;
import io.memshard.bench.result.Csv;
import io.memshard.bench.result.CsvRow;
import io.memshard.bench.result.TextFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Data that a run wrote into its folder. The {@code hash} is the hash of the file {@code forks.csv}. */
public record LabData(RunFacts facts, List<ForkResult> forks, List<WaitRow> waits, List<CsvRow> earlier, String hash) {

    /** File with verdicts of earlier runs. The column {@code published} names the commit that contains their data. */
    static final String EARLIER = "replicates.csv";

    public static LabData read(Path folder) {
        Path forks = folder.resolve(ForkFile.NAME);
        Path waits = folder.resolve(WaitRow.FILE);
        Path earlier = folder.resolve(EARLIER);
        return new LabData(
                RunFacts.read(folder.resolve(RunFacts.NAME)),
                Csv.isThere(forks) ? ForkFile.read(forks) : List.of(),
                Csv.isThere(waits) ? WaitRow.read(waits) : List.of(),
                Csv.isThere(earlier) ? Csv.read(earlier) : List.of(),
                Csv.isThere(forks) ? TextFile.digest(Csv.bytes(forks)) : "none");
    }

    Forks forks(String experiment) {
        return new Forks(forks, experiment, profile());
    }

    public Profile profile() {
        return Profile.valueOf(facts.get("profiles").split(" ", 2)[0].toUpperCase(Locale.ROOT));
    }

    String earlier(Claim claim) {
        return earlier.stream()
                .filter(row -> row.text("claim").equals(claim.name()))
                .map(row -> "\n\nThe run of " + row.text("started") + ", published at " + row.text("published") + ": "
                        + row.text("verdict") + ", " + row.text("found") + ".")
                .collect(Collectors.joining());
    }

    String lines(Claims claims) {
        return "- " + claims.line(facts.get("claims")) + "\n- data `" + hash + "`\n" + lines();
    }

    public String lines() {
        List<String> lines = new ArrayList<>(List.of(
                facts.get("started") + ", commit " + facts.get("commit") + ", a " + facts.get("size") + " run",
                facts.get("cpus") + " CPUs, " + facts.get("cpu_model") + "; " + facts.get("kernel"),
                facts.get("jdk") + "; forks with " + facts.get("fork_flags"),
                "server: " + facts.get("server")));
        for (String profile : facts.get("profiles").split(" ", -1)) {
            lines.add("profile " + profile + ": " + facts.get("placement_" + profile));
        }
        if (!facts.get("busy").isEmpty()) {
            lines.add("NOISY: the machine was busy when the run began: " + facts.get("busy"));
        }
        lines.add("again: `" + facts.get("command") + "`");
        return "- " + String.join("\n- ", lines) + "\n";
    }
}
