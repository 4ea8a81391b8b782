// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import io.memshard.bench.lab.data.ForkKey;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Profile;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * What one fork is told to do, as a file of properties.
 *
 * <p>Threading: immutable. Failure: {@link UncheckedIOException} naming the file.
 *
 * @param key which fork
 * @param warmUp before the measurement
 * @param window of the measurement
 * @param fixedCycles cycles that are timed after it; 0 for none
 * @param batch cycles between two time stamps
 * @param server {@code host:port} of the memcached; empty for none
 * @param serverPid its process; 0 if that is not known
 */
record ForkTask(
        ForkKey key, Duration warmUp, Duration window, long fixedCycles, int batch, String server, long serverPid) {

    /** Where the memcached listens; null for none. */
    @Nullable
    InetSocketAddress serverAddress() {
        if (server.isEmpty()) {
            return null;
        }
        int colon = server.lastIndexOf(':');
        return new InetSocketAddress(server.substring(0, colon), Integer.parseInt(server.substring(colon + 1)));
    }

    void write(Path file) {
        Properties properties = new Properties();
        properties.setProperty("experiment", key.experiment());
        properties.setProperty("profile", key.profile().name());
        properties.setProperty("block", String.valueOf(key.block()));
        properties.setProperty("arm", key.arm());
        properties.setProperty("condition", key.condition().label());
        properties.setProperty("profiled", String.valueOf(key.profiled()));
        properties.setProperty("warmUp", warmUp.toString());
        properties.setProperty("window", window.toString());
        properties.setProperty("fixedCycles", String.valueOf(fixedCycles));
        properties.setProperty("batch", String.valueOf(batch));
        properties.setProperty("server", server);
        properties.setProperty("serverPid", String.valueOf(serverPid));
        try (Writer out = Files.newBufferedWriter(file)) {
            properties.store(out, null);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    static ForkTask read(Path file) {
        Properties properties = new Properties();
        try (Reader in = Files.newBufferedReader(file)) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file + ": " + e.getMessage(), e);
        }
        ForkKey key = new ForkKey(
                text(properties, "experiment"),
                Profile.valueOf(text(properties, "profile")),
                Integer.parseInt(text(properties, "block")),
                text(properties, "arm"),
                Condition.parse(text(properties, "condition")),
                Boolean.parseBoolean(text(properties, "profiled")));
        return new ForkTask(
                key,
                Duration.parse(text(properties, "warmUp")),
                Duration.parse(text(properties, "window")),
                Long.parseLong(text(properties, "fixedCycles")),
                Integer.parseInt(text(properties, "batch")),
                text(properties, "server"),
                Long.parseLong(text(properties, "serverPid")));
    }

    private static String text(Properties properties, String name) {
        return properties.getProperty(name, "");
    }
}
