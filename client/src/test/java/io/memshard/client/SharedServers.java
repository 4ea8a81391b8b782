// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.TlsOptions;
import io.memshard.testkit.CertificateAuthority;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.MemcachedContainer;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.Program;
import io.memshard.testkit.ServerLadder;
import io.memshard.testkit.TwemproxyProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import javax.net.SocketFactory;

/** One server of each kind for all tests of the JVM: started when it is first asked for, closed when it ends. */
final class SharedServers {

    private static final String USER = "memshard";
    private static final String PASSWORD = "pass:w\u00f6rd";
    private static final int TIMEOUT_MILLIS = 60_000;

    private static final Map<ServerKind, MemcachedServer> STARTED = new EnumMap<>(ServerKind.class);

    /** Why there can be none, if that was found out. */
    private static String noContainer;

    /** Of the certificates and the file of users; null before they are needed. */
    private static Path directory;

    private static CertificateAuthority authority;

    static {
        // Not when JUnit says that all tests are done: where there are several JVMs it says so after each class.
        Runtime.getRuntime().addShutdownHook(new Thread(SharedServers::closeAll, "shared-servers-close"));
    }

    private SharedServers() {}

    private static void closeAll() {
        STARTED.values().forEach(MemcachedServer::close);
        if (directory != null) {
            try (var files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
                Files.delete(directory);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** The server of this kind; aborts the test where this machine has not what it takes. */
    static MemcachedServer get(ServerKind kind) {
        MemcachedServer server = STARTED.get(kind);
        if (server == null) {
            server = start(kind);
            STARTED.put(kind, server);
        }
        return server;
    }

    private static MemcachedServer start(ServerKind kind) {
        return switch (kind) {
            case FOUND -> ServerLadder.find().server();
            case TLS -> {
                Program.MEMCACHED.need();
                CertificateAuthority.Issued own = authority().issue("127.0.0.1");
                yield MemcachedProcess.startTls(own.certificates(), own.key());
            }
            case AUTHENTICATED -> {
                Program.MEMCACHED.need();
                yield MemcachedProcess.startAuthenticated(users());
            }
            case DOCKER -> container();
            case DOCKER_TLS -> {
                String host = get(ServerKind.DOCKER).host();
                CertificateAuthority.Issued own = authority().issue(host);
                yield MemcachedContainer.startTls(own.certificates(), own.key());
            }
            case DOCKER_AUTHENTICATED -> {
                get(ServerKind.DOCKER);
                yield MemcachedContainer.startAuthenticated(users());
            }
            case EMBEDDED -> EmbeddedMemcached.start();
            case EMBEDDED_AUTHENTICATED ->
                EmbeddedMemcached.builder().user(USER, PASSWORD).start();
            case TWEMPROXY -> {
                Program.NUTCRACKER.need();
                yield TwemproxyProcess.start(itemsOf(kind));
            }
        };
    }

    private static MemcachedServer container() {
        if (noContainer == null) {
            try {
                return MemcachedContainer.start();
            } catch (IllegalStateException e) {
                noContainer = e.getMessage();
            }
        }
        throw Program.skip("a container of memcached: " + noContainer);
    }

    private static CertificateAuthority authority() {
        if (authority == null) {
            authority = CertificateAuthority.create(directory(), "authority");
        }
        return authority;
    }

    private static Path users() {
        try {
            return Files.writeString(directory().resolve("users"), USER + ":" + PASSWORD + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path directory() {
        if (directory == null) {
            try {
                directory = Files.createTempDirectory("operations");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return directory;
    }

    /** Returns the settings of a client that gets in. */
    static ConnectionOptions.Builder settingsFor(ServerKind kind) {
        ConnectionOptions.Builder settings = PatientOptions.builder();
        if (kind.hasTls()) {
            settings.tls(TlsOptions.trusting(authority().certificate()));
        }
        if (kind.hasUsers()) {
            settings.credentials(USER, PASSWORD);
        }
        return settings;
    }

    /** A socket of the test's own to where the items are, let in. */
    static Socket socketToItemsOf(ServerKind kind) throws IOException {
        MemcachedServer server = itemsOf(kind);
        SocketFactory sockets =
                kind.hasTls() ? authority().clientContext().getSocketFactory() : SocketFactory.getDefault();
        Socket socket = sockets.createSocket(server.host(), server.port());
        socket.setSoTimeout(TIMEOUT_MILLIS);
        if (kind.hasUsers()) {
            byte[] credentials = (USER + " " + PASSWORD + "\r\n").getBytes(UTF_8);
            socket.getOutputStream().write(("set auth 0 0 " + (credentials.length - 2) + "\r\n").getBytes(UTF_8));
            socket.getOutputStream().write(credentials);
            assertThat(new String(socket.getInputStream().readNBytes(8), UTF_8)).isEqualTo("STORED\r\n");
        }
        return socket;
    }

    /** Where its items are: on the server itself or behind it. */
    private static MemcachedServer itemsOf(ServerKind kind) {
        return get(kind == ServerKind.TWEMPROXY ? ServerKind.FOUND : kind);
    }
}
