// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.io.IOException;
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
 *   <li>the address in the system property {@code memcached.addr} or the environment variable {@code MEMCACHED_ADDR};
 *   <li>a {@code memcached} on the PATH, started on a free port;
 *   <li>a container, by Testcontainers, if a Docker engine answers;
 *   <li>{@link EmbeddedMemcached}.
 * </ol>
 *
 * <p>The system property {@code memshard.server} narrows the search. {@code real} accepts any server except the
 * embedded one; {@code address}, {@code process}, {@code docker} and {@code embedded} accept only that kind of server.
 *
 * <p>Threading: thread-safe. Each call starts a separate server, unless an address is given.
 *
 * <p>Failure: {@link IllegalStateException} if no server is available, or if none answers at a given address. {@link
 * IllegalArgumentException} for a malformed address or an unknown value of {@code memshard.server}.
 */
public final class ServerLadder {

    /** System property that narrows the search. */
    public static final String MODE_PROPERTY = "memshard.server";

    /** System property with the address of a running server. */
    public static final String ADDRESS_PROPERTY = "memcached.addr";

    /** Environment variable with the address of a running server. */
    public static final String ADDRESS_VARIABLE = "MEMCACHED_ADDR";

    /** Kinds of server, best first. */
    public enum Rung {
        /** Server that was already running and whose address is given. */
        ADDRESS,
        /** Child process. */
        PROCESS,
        /** Container. */
        DOCKER,
        /** Server in this JVM. */
        EMBEDDED
    }

    /**
     * Result of the search: a server, and the reasons for its choice.
     *
     * @param server running server, which the caller closes
     * @param rung kind of the server
     * @param skipped the reason why each better kind of server was not taken
     */
    public record Found(MemcachedServer server, Rung rung, List<String> skipped) {

        /** Copies the list. */
        public Found {
            skipped = List.copyOf(skipped);
        }

        /** Returns one line for people: the server, and why no better server was taken. */
        public String report() {
            String reasons = skipped.isEmpty() ? "" : " (" + String.join("; ", skipped) + ")";
            return "memcached server: " + server.description() + reasons;
        }
    }

    private static final String TESTCONTAINERS_CLASS = "org.testcontainers.containers.GenericContainer";

    private static final List<Rung> REAL = List.of(Rung.ADDRESS, Rung.PROCESS, Rung.DOCKER);

    // Both return null for a name without a value.
    private final UnaryOperator<@Nullable String> environment;
    private final UnaryOperator<@Nullable String> properties;

    private final Supplier<MemcachedServer> containers;

    ServerLadder(
            UnaryOperator<@Nullable String> environment,
            UnaryOperator<@Nullable String> properties,
            Supplier<MemcachedServer> containers) {
        this.environment = environment;
        this.properties = properties;
        this.containers = containers;
    }

    /** Finds a server by the environment and the system properties of this JVM. */
    public static Found find() {
        return find(ServerChoice.AUTO);
    }

    static Found find(ServerChoice choice) {
        return new ServerLadder(System::getenv, System::getProperty, () -> MemcachedContainer.start()).climb(choice);
    }

    Found climb(ServerChoice choice) {
        List<String> skipped = new ArrayList<>();
        for (Rung rung : allowedRungs(choice)) {
            try {
                return new Found(take(rung), rung, skipped);
            } catch (UnavailableException e) {
                skipped.add(e.reason());
            }
        }
        throw new IllegalStateException("no memcached server: " + String.join("; ", skipped)
                + ". Install memcached (Debian: apt-get install memcached; macOS: brew install memcached), start a"
                + " Docker engine, or set " + ADDRESS_VARIABLE + "=host:port. Tests that need no real server"
                + " run with -D" + MODE_PROPERTY + "=embedded.");
    }

    private List<Rung> allowedRungs(ServerChoice choice) {
        return switch (choice) {
            case AUTO -> allowedRungs();
            case REAL -> REAL;
            case EMBEDDED -> List.of(Rung.EMBEDDED);
        };
    }

    private List<Rung> allowedRungs() {
        String mode = Optional.ofNullable(properties.apply(MODE_PROPERTY)).orElse("");
        return switch (mode) {
            case "", "auto" -> List.of(Rung.values());
            case "real" -> REAL;
            case "address", "process", "docker", "embedded" -> List.of(Rung.valueOf(mode.toUpperCase(Locale.ROOT)));
            default ->
                throw new IllegalArgumentException("-D" + MODE_PROPERTY
                        + " must be auto, real, address, process, docker or embedded, but is \"" + mode + "\"");
        };
    }

    private MemcachedServer take(Rung rung) throws UnavailableException {
        return switch (rung) {
            case ADDRESS -> given();
            case PROCESS -> process();
            case DOCKER -> container();
            case EMBEDDED -> EmbeddedMemcached.start();
        };
    }

    private MemcachedServer given() throws UnavailableException {
        String address = Optional.ofNullable(properties.apply(ADDRESS_PROPERTY))
                .or(() -> Optional.ofNullable(environment.apply(ADDRESS_VARIABLE)))
                .orElse("");
        if (address.isBlank()) {
            throw new UnavailableException(ADDRESS_VARIABLE + " is not set");
        }
        try {
            return GivenServer.at(address.strip());
        } catch (IOException e) {
            // A caller that names a server wants that server: do not continue with another.
            throw new IllegalStateException("no memcached answers at the given address " + address + ": " + e, e);
        }
    }

    private MemcachedServer process() throws UnavailableException {
        String path = Optional.ofNullable(environment.apply("PATH")).orElse("");
        var program = ServerProcess.find(path, "memcached")
                .orElseThrow(() -> new UnavailableException("no memcached on the PATH"));
        try {
            return MemcachedProcess.start(program);
        } catch (IllegalStateException e) {
            throw new UnavailableException(program + " does not start: " + e.getCause());
        }
    }

    private MemcachedServer container() throws UnavailableException {
        try {
            Class.forName(TESTCONTAINERS_CLASS, false, ServerLadder.class.getClassLoader());
            return containers.get();
        } catch (ClassNotFoundException e) {
            throw new UnavailableException("Testcontainers is not on the class path");
        } catch (IllegalStateException e) {
            throw new UnavailableException(String.valueOf(e.getMessage()));
        }
    }

    private static final class UnavailableException extends Exception {

        UnavailableException(String reason) {
            super(reason, null, false, false);
        }

        String reason() {
            return String.valueOf(getMessage());
        }
    }
}
