// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.lab.data.Digest;
import io.memshard.bench.lab.data.ForkFile;
import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.Forks;
import io.memshard.bench.lab.data.RunFacts;
import io.memshard.bench.lab.data.WaitFile;
import io.memshard.bench.lab.data.WaitRow;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.result.Csv;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * All that a run left in its folder.
 *
 * <p>Threading: immutable. Failure: {@link UncheckedIOException} naming the file that cannot be read.
 *
 * @param facts what the run was
 * @param forks every fork
 * @param waits the lock profiles
 * @param hash of the file with the forks
 */
record LabData(RunFacts facts, List<ForkResult> forks, List<WaitRow> waits, String hash) {

    LabData {
        forks = List.copyOf(forks);
        waits = List.copyOf(waits);
    }

    /** The timed forks of {@code experiment} in the first profile that was run. */
    Forks forks(String experiment) {
        return new Forks(forks, experiment, profile());
    }

    /** The first profile that was run. */
    Profile profile() {
        return Profile.valueOf(facts.get("profiles").split(" ", 2)[0].toUpperCase(Locale.ROOT));
    }

    static LabData read(Path folder) {
        Path forks = folder.resolve(ForkFile.NAME);
        Path waits = folder.resolve(WaitFile.NAME);
        return new LabData(
                RunFacts.read(folder.resolve(RunFacts.NAME)),
                Csv.isThere(forks) ? ForkFile.read(forks) : List.of(),
                Csv.isThere(waits) ? WaitFile.read(waits) : List.of(),
                Csv.isThere(forks) ? Digest.ofFile(forks) : "none");
    }
}
