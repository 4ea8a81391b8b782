// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.scale;

import io.memshard.bench.command.BenchCommand;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bench/run scale}: what many servers cost a client. */
@Command(
        name = "scale",
        description = "Shows what many servers cost a client: sockets, threads, memory, and a get beside that of one"
                + " server. Starts a memcached of its own, which must be on the PATH. Takes about four minutes.")
final class ScaleCommand extends BenchCommand {

    @Mixin
    private ScaleOptions options = new ScaleOptions();

    @Override
    public Integer call() {
        ScaleRun run = new ScaleRun(options);
        Path folder = folder(options.out());
        run.run(folder, typed(), out());
        ScalePart.draw(folder, out());
        return 0;
    }
}
