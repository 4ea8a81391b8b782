// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.testkit.CertificateAuthority;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.Eventually;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.File;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A container unloads each application that has closed its clients, though the container's threads have called them and
 * live on, and though the application still has the clients in a static field.
 */
@Tag("deep")
@Timeout(180)
class ClassLoaderIT {

    /** What the applications use. JDK 17 keeps the component type of the record that was linked last. */
    private static final List<String> KINDS = List.of("sticky", "discovery", "tls", "cache", "last");

    @TempDir
    private Path directory;

    /**
     * In a JVM of its own: where Netty's native library is unloaded, it also unregisters the methods of other copies,
     * and so those of the other tests.
     */
    @Test
    void applicationsAreUnloadedAfterTheirClientsWereClosed() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        // Caches of the JDK refer to classes softly, and so would keep them while memory is free.
                        "-XX:SoftRefLRUPolicyMSPerMB=0",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ClassLoaderIT.class.getName(),
                        directory.toString())
                .redirectErrorStream(true)
                .start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(output).contains("left: []");
        } finally {
            process.destroyForcibly();
        }
    }

    /** Runs the applications on threads that outlive them, and prints the kinds of those that are still loaded. */
    public static void main(String[] args) throws Exception {
        CertificateAuthority authority = CertificateAuthority.create(Path.of(args[0]), "authority");
        ExecutorService outlives = Executors.newFixedThreadPool(2);
        try (EmbeddedMemcached server = EmbeddedMemcached.start();
                ScriptedServer withTls =
                        ScriptedServer.start(CertificateAuthority.serverContext(authority.issue("127.0.0.1")))) {
            withTls.onConnection(c -> c.greet().replyTo(line -> line.equals("mn") ? "MN\r\n" : "EN\r\n"));
            Map<String, WeakReference<ClassLoader>> loaders = new LinkedHashMap<>();
            for (String kind : KINDS) {
                int port = kind.equals("tls") ? withTls.port() : server.port();
                String[] use = {
                    kind, "127.0.0.1:" + port, authority.certificate().toString()
                };
                loaders.put(kind, outlives.submit(application(use)).get(1, TimeUnit.MINUTES));
            }
            loaders.remove("last");
            Eventually.holdsWithin(Duration.ofSeconds(40), () -> {
                System.gc();
                loaders.values().removeIf(loader -> loader.get() == null);
                return loaders.isEmpty();
            });
            System.out.println("left: " + loaders.keySet());
        } finally {
            outlives.shutdownNow();
        }
    }

    /** Runs a client whose classes, Netty's, Spring's and the logger's included, nobody else has. */
    private static Callable<WeakReference<ClassLoader>> application(String[] use) {
        return () -> {
            try (URLClassLoader loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
                Thread.currentThread().setContextClassLoader(loader);
                @SuppressWarnings("unchecked")
                Consumer<String[]> application =
                        (Consumer<String[]>) loader.loadClass(UnloadedApplication.class.getName())
                                .getDeclaredConstructor()
                                .newInstance();
                application.accept(use);
                return new WeakReference<>(loader);
            } finally {
                Thread.currentThread().setContextClassLoader(ClassLoaderIT.class.getClassLoader());
            }
        };
    }

    private static URL[] classPath() throws IOException {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        return urls.toArray(URL[]::new);
    }
}
