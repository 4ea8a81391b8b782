// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Search for a memcached server. The search takes the first available server of this list, and reports why each earlier
 * server was not taken:
 *
 * <ol>
 *   <li>the server at the address in the environment variable {@code MEMCACHED_ADDR};
 *   <li>a {@code memcached} on the PATH, started on a free port;
 *   <li>a container that Testcontainers starts, if a Docker engine answers;
 *   <li>{@link EmbeddedMemcached}.
 * </ol>
 *
 * <p>The system property {@code memshard.server} narrows the search. {@code real} accepts any server except the
 * embedded server; {@code address}, {@code process}, {@code docker} and {@code embedded} accept only this kind of
 * server.
 *
 * <p>Threading: thread-safe. Each search starts a separate server, unless an address is given. Failure: a search throws
 * {@link IllegalStateException} if no server is available, or if no server answers at the given address. For a
 * malformed address or an unknown value of {@code memshard.server}, a search throws {@link IllegalArgumentException}.
 */
public final class ServerLadder {

    public static final String MODE_PROPERTY = "memshard.server";
    public static final String ADDRESS_VARIABLE = "MEMCACHED_ADDR";

    /** Kinds of server, in the order of the search. */
    public enum Rung {
        /** Server that was already running at the address in {@code MEMCACHED_ADDR}. */
        ADDRESS,
        PROCESS,
        DOCKER,
        EMBEDDED
    }

    /**
     * Result of the search. The caller must close {@code server}. {@code skipped} says why each earlier kind of server
     * was not taken.
     */
    public record Found(MemcachedServer server, Rung rung, List<String> skipped) {

        public Found {
            skipped = List.copyOf(skipped);
        }

        /** Returns one line that describes the server, and says why the earlier kinds of server were not taken. */
        public String report() {
            String reasons = skipped.isEmpty() ? "" : " (" + String.join("; ", skipped) + ")";
            return "memcached server: " + server.description() + reasons;
        }
    }

    private static final List<Rung> REAL = List.of(Rung.ADDRESS, Rung.PROCESS, Rung.DOCKER);

    private final UnaryOperator<@Nullable String> environment;
    private final String mode;
    private final Supplier<MemcachedServer> containers;
    private final List<String> skipped = new ArrayList<>();

    ServerLadder(UnaryOperator<@Nullable String> environment, String mode, Supplier<MemcachedServer> containers) {
        this.environment = environment;
        this.mode = mode;
        this.containers = containers;
    }

    /** Finds a server by the environment and the system properties of this JVM. */
    public static Found find() {
        return find(ServerChoice.AUTO);
    }

    static Found find(ServerChoice choice) {
        String mode = choice == ServerChoice.EMBEDDED ? "embedded" : System.getProperty(MODE_PROPERTY, "");
        return new ServerLadder(System::getenv, mode, () -> MemcachedContainer.start()).climb();
    }

    Found climb() {
        for (Rung rung : allowedRungs()) {
            MemcachedServer server = take(rung);
            if (server != null) {
                return new Found(server, rung, skipped);
            }
        }
        throw new IllegalStateException("no memcached server: " + String.join("; ", skipped)
                + ". Install memcached (Debian: apt-get install memcached; macOS: brew install memcached), start a"
                + " Docker engine, or set " + ADDRESS_VARIABLE + "=host:port. Tests that need no real server"
                + " run with -D" + MODE_PROPERTY + "=embedded.");
    }

    private List<Rung> allowedRungs() {
        return switch (mode) {
            case "", "auto" -> List.of(Rung.values());
            case "real" -> REAL;
            case "address", "process", "docker", "embedded" -> List.of(Rung.valueOf(mode.toUpperCase(Locale.ROOT)));
            default ->
                throw new IllegalArgumentException("-D" + MODE_PROPERTY
                        + " must be auto, real, address, process, docker or embedded, but is \"" + mode + "\"");
        };
    }

    private @Nullable MemcachedServer take(Rung rung) {
        return switch (rung) {
            case ADDRESS -> given();
            case PROCESS -> process();
            case DOCKER -> container();
            case EMBEDDED -> EmbeddedMemcached.start();
        };
    }

    private @Nullable MemcachedServer skip(String reason) {
        skipped.add(reason);
        return null;
    }

    private @Nullable MemcachedServer given() {
        String address = environment.apply(ADDRESS_VARIABLE);
        if (address == null || address.isBlank()) {
            return skip(ADDRESS_VARIABLE + " is not set");
        }
        try {
            return GivenServer.at(address.strip());
        } catch (IOException e) {
            // A caller that names a server wants that server: do not continue with another.
            throw new IllegalStateException("no memcached answers at the given address " + address + ": " + e, e);
        }
    }

    private @Nullable MemcachedServer process() {
        String path = environment.apply("PATH");
        Optional<Path> program = Program.MEMCACHED.find(path == null ? "" : path);
        if (program.isEmpty()) {
            return skip("no memcached on the PATH");
        }
        try {
            return MemcachedProcess.start(program.get());
        } catch (IllegalStateException e) {
            return skip(program.get() + " does not start: " + e.getCause());
        }
    }

    private @Nullable MemcachedServer container() {
        try {
            return containers.get();
        } catch (NoClassDefFoundError e) {
            return skip("Testcontainers is not on the class path");
        } catch (IllegalStateException e) {
            return skip(String.valueOf(e.getMessage()));
        }
    }
}
