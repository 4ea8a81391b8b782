package io.memshard.bench;

import io.memshard.bench.jmh.JmhRun;
import io.memshard.bench.server.BenchServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** {@code bench/run jmh}: hands everything behind it to JMH. */
@Command(name = "jmh", description = "Runs the JMH benchmarks; everything behind it goes to JMH: -h shows its options.")
final class JmhCommand implements Callable<Integer> {

    @Unmatched
    private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call() throws Exception {
        if (JmhRun.needsServer(arguments)) {
            try (BenchServer server = BenchServer.find(null)) {
                JmhRun.run(arguments, server);
            }
        } else {
            JmhRun.run(arguments, null);
        }
        return 0;
    }
}
