// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.result.BenchException;
import io.memshard.bench.result.Environment;
import io.memshard.bench.server.DelayingProxy;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.Program;
import io.memshard.testkit.ServerLadder;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/** Server that one JVM of JMH calls: started for this JVM, or named by the user. {@code pid} is 0 if unknown. */
record LabServer(String address, long pid, String description, Runnable closer) implements AutoCloseable {

    private static final String HOST = InetAddress.getLoopbackAddress().getHostAddress();

    static LabServer start(int workers, String named, Processors processors) {
        if (workers == 0) {
            return new LabServer("", 0, "none is needed", () -> {});
        }
        if (named.isEmpty()) {
            return process(workers, processors);
        }
        if (workers != Experiment.WORKERS) {
            throw new BenchException("--server is " + named
                    + ", but an experiment needs its own memcached with one worker thread: omit --server");
        }
        return new LabServer(named, 0, named, () -> {});
    }

    LabServer behindNetwork(int roundTripMicros, Processors processors) {
        if (roundTripMicros == 0 || address.isEmpty()) {
            return new LabServer(address, pid, description, () -> {});
        }
        String java = System.getProperty("java.home") + "/bin/java";
        List<String> command = new ArrayList<>(List.of(java, "-Xmx128m", "-XX:+UseSerialGC", "-cp"));
        command.addAll(List.of(System.getProperty("java.class.path"), DelayingProxy.class.getName()));
        command.addAll(List.of(address, roundTripMicros + ""));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            BufferedReader out = process.inputReader(UTF_8);
            String port = out.readLine();
            if (port == null) {
                throw new BenchException("the proxy that delays requests does not start: " + String.join(" ", command));
            }
            processors.moveServer(process.pid());
            return new LabServer(HOST + ":" + port, pid, description, process::destroyForcibly);
        } catch (IOException e) {
            throw new BenchException("the proxy that delays requests does not start: " + e.getMessage(), e);
        }
    }

    private static LabServer process(int workers, Processors processors) {
        if (Program.MEMCACHED.find().isEmpty()) {
            return found();
        }
        MemcachedProcess process = memcached(workers, processors);
        return new LabServer(
                process.host() + ":" + process.port(),
                process.pid(),
                process.description() + ", " + workers + (workers == 1 ? " worker" : " workers"),
                process::close);
    }

    static MemcachedProcess memcached(int workers, Processors processors) {
        MemcachedProcess process = MemcachedProcess.start("-t", workers + "", "-c", "4096", "-m", "1024");
        processors.moveServer(process.pid());
        return process;
    }

    private static LabServer found() {
        try {
            ServerLadder.Found found = ServerLadder.find();
            boolean isEmbedded = found.rung() == ServerLadder.Rung.EMBEDDED;
            MemcachedServer server = found.server();
            return new LabServer(
                    server.host() + ":" + server.port(),
                    isEmbedded ? ProcessHandle.current().pid() : 0,
                    found.report() + (isEmbedded ? "; " + Environment.NO_MEMCACHED : ""),
                    server::close);
        } catch (IllegalStateException | IllegalArgumentException e) {
            throw new BenchException(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public void close() {
        closer.run();
    }
}
