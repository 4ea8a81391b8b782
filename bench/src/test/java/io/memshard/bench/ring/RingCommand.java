// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.ring;

import io.memshard.bench.command.BenchCommand;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bench/run ring}: what the rings are like. */
@Command(
        name = "ring",
        description = "Shows of every ring how it spreads keys, which of them a change moves, and what a look-up and a"
                + " locator cost. Needs no memcached.")
final class RingCommand extends BenchCommand {

    @Mixin
    private RingOptions options = new RingOptions();

    @Override
    public Integer call() {
        RingRun run = new RingRun(options);
        Path folder = folder(options.out());
        run.run(folder, typed(), out());
        RingPart.draw(folder, out());
        return 0;
    }
}
