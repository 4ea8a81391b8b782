// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.attacks;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.testkit.EmbeddedMemcached;
import java.io.File;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * An application that is unloaded after it has closed its clients leaves no class of theirs, not even with threads that
 * outlive it.
 */
@Timeout(180)
class ClassLoaderIT {

    private static final int APPLICATIONS = 2;

    /**
     * In a JVM of its own: where Netty's native library is unloaded, it also unregisters the methods of other copies,
     * and so those of the other tests.
     */
    @Test
    void classesAreUnloadedAfterClose() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        // Caches of the JDK refer to classes softly, and so would keep them while memory is free.
                        "-XX:SoftRefLRUPolicyMSPerMB=0",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ClassLoaderIT.class.getName())
                .redirectErrorStream(true)
                .start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output).isZero();
            assertThat(output).contains("unloaded");
        } finally {
            process.destroyForcibly();
        }
    }

    /** Runs the applications. */
    public static void main(String[] args) throws Exception {
        try (EmbeddedMemcached server = EmbeddedMemcached.start()) {
            ExecutorService outlives = Executors.newFixedThreadPool(2);
            try {
                List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
                for (int i = 0; i < APPLICATIONS; i++) {
                    loaders.add(outlives.submit(application(server.port())).get(1, TimeUnit.MINUTES));
                }
                // JDK 17 keeps the component type of the record that was linked last.
                List<WeakReference<ClassLoader>> unloaded = loaders.subList(0, APPLICATIONS - 1);
                eventually("collected", () -> {
                    System.gc();
                    return unloaded.stream().allMatch(loader -> loader.get() == null);
                });
                System.out.println("unloaded");
            } finally {
                outlives.shutdownNow();
            }
        }
    }

    /** Runs a client whose classes, Netty's and the logger's included, nobody else has. */
    private static Callable<WeakReference<ClassLoader>> application(int port) {
        return () -> {
            try (URLClassLoader loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
                Thread.currentThread().setContextClassLoader(loader);
                IntConsumer application = (IntConsumer) loader.loadClass(UnloadedApplication.class.getName())
                        .getDeclaredConstructor()
                        .newInstance();
                application.accept(port);
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
