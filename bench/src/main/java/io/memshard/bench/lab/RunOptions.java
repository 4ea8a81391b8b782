// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.lab.experiment.Profile;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

class RunOptions {

    private static final DateTimeFormatter FOLDER = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Folder of the results, or of a run to continue (default: bench/results/ and the time).")
    private @Nullable Path out;

    @Option(names = "--quick", description = "A short run of at most three minutes.")
    boolean isQuick;

    @Option(
            names = "--server",
            paramLabel = "HOST:PORT",
            description = "Address of a running memcached (default: a new one for each fork, or an embedded server).")
    String server = "";

    @Option(
            names = "--profile",
            split = ",",
            description = "cloud: a pool of 20, at most 4 CPUs; physical: a pool of 100, all CPUs (default: cloud).")
    private List<Profile> profiles = List.of(Profile.CLOUD);

    @Option(
            names = "--blocks",
            paramLabel = "N",
            description = "Number of blocks. Each block runs every arm in a new JVM with a new server, in a new order.")
    private @Nullable Integer blocks;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of the random orders (default: the time).")
    long seed = System.currentTimeMillis();

    @Option(
            names = "--anyway",
            description = "Also measure on a busy machine, but without verdicts. A quick run always does so.")
    boolean mayBeBusy;

    final Path folder() {
        return out != null
                ? out
                : Path.of(System.getProperty("memshard.bench.results", "bench/results"))
                        .resolve(FOLDER.format(LocalDateTime.now(ZoneId.systemDefault())));
    }

    final List<Profile> profiles() {
        return profiles.stream().distinct().toList();
    }

    final int blocks(int otherwise) {
        int number = Objects.requireNonNullElse(blocks, otherwise);
        if (blocks != null) {
            check("--blocks", number, 1, 1_000);
        }
        return number;
    }

    final void check(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw wrong(option + " must be from " + least + " to " + most + ", not " + value);
        }
    }

    final void checkEach(String option, List<Integer> values, int least, int most) {
        values.forEach(value -> check(option, value, least, most));
    }

    final ParameterException wrong(String message) {
        return new ParameterException(Objects.requireNonNull(spec, message).commandLine(), message);
    }
}
