// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench;

import io.memshard.bench.command.BenchTerminal;
import io.memshard.bench.jmh.JmhRun;
import io.memshard.bench.server.BenchServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** {@code bench/run jmh}: hands all further arguments to JMH. */
@Command(name = "jmh", description = "Runs the JMH benchmarks. All further arguments go to JMH; -h shows its options.")
final class JmhCommand implements Callable<Integer> {

    @Unmatched
    private List<String> arguments = new ArrayList<>();

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (!JmhRun.needsServer(arguments)) {
            JmhRun.list(arguments);
            return 0;
        }
        JmhRun.check(arguments);
        try (BenchServer server = BenchServer.find(null)) {
            JmhRun.run(arguments, server, BenchTerminal.typed(Objects.requireNonNull(spec)));
        }
        return 0;
    }
}
