// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.memshard.bench.command.BenchException;
import io.memshard.bench.fork.JavaCommand;
import io.memshard.bench.server.DelayingProxy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A network between one fork and its server: a {@link DelayingProxy} in a process of its own, on the processors of the
 * server.
 *
 * <p>Threading: confined to the thread that runs the lab. Failure: {@link BenchException} in one sentence.
 */
final class NetworkProxy implements AutoCloseable {

    private final @Nullable Process process;
    private final String address;

    private NetworkProxy(@Nullable Process process, String address) {
        this.process = process;
        this.address = address;
    }

    /**
     * A network in front of {@code server}.
     *
     * @param server {@code host:port}
     * @param roundTripMicros 0 for no network
     */
    static NetworkProxy start(String server, int roundTripMicros, Placement placement) {
        if (roundTripMicros == 0 || server.isEmpty()) {
            return new NetworkProxy(null, server);
        }
        int colon = server.lastIndexOf(':');
        List<String> command = new ArrayList<>(placement.besideServer());
        command.addAll(JavaCommand.of(
                List.of("-Xmx128m", "-XX:+UseSerialGC"),
                JavaCommand.ownClassPath(),
                DelayingProxy.class.getName(),
                server.substring(0, colon),
                server.substring(colon + 1),
                String.valueOf(roundTripMicros)));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String port = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8)).readLine();
            if (port == null) {
                throw new BenchException("the delaying proxy does not start: " + String.join(" ", command));
            }
            return new NetworkProxy(process, "127.0.0.1:" + port);
        } catch (IOException e) {
            throw new BenchException("the delaying proxy does not start: " + e.getMessage(), e);
        }
    }

    /** {@code host:port} that the fork connects to. */
    String address() {
        return address;
    }

    @Override
    public void close() {
        if (process != null) {
            process.destroyForcibly();
        }
    }
}
