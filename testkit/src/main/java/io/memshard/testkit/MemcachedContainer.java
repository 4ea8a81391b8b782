// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;
import org.testcontainers.utility.TestcontainersConfiguration;

/**
 * Memcached in a Docker container, run by Testcontainers, which must be on the class path.
 *
 * <p>If no image registry is reachable, load the image into the engine beforehand and set {@code
 * TESTCONTAINERS_RYUK_DISABLED=true}, {@code TESTCONTAINERS_CHECKS_DISABLE=true} and {@code
 * TESTCONTAINERS_HOST_OVERRIDE=127.0.0.1}. Testcontainers otherwise pulls additional images.
 *
 * <p>{@code Threading}: thread-safe. {@code Failure}: {@link #start()} throws {@link ContainerException} after at most
 * 60 seconds each for the image and for Testcontainers' Ryuk, and 90 for the start. So do commands that Docker rejects.
 */
public final class MemcachedContainer implements MemcachedServer {

    /** System property that names the image. */
    public static final String IMAGE_PROPERTY = "memshard.image";

    private static final String DEFAULT_IMAGE = "memcached:1.6";
    private static final String ADVICE = "without an image registry set TESTCONTAINERS_RYUK_DISABLED=true"
            + " TESTCONTAINERS_CHECKS_DISABLE=true TESTCONTAINERS_HOST_OVERRIDE=127.0.0.1";
    private static final int MEMCACHED_PORT = 11211;
    private static final int START_ATTEMPTS = 3;
    private static final Duration PULL_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration TOTAL_TIMEOUT = Duration.ofSeconds(90);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    private static final String DIRECTORY = "/memshard/";
    private static final int READABLE_BY_ALL = 0644;

    /** Query for a server's version. */
    private interface Probe {
        String query(String host, int port) throws IOException;
    }

    /** Description of a container: options of memcached, and the files in {@link #DIRECTORY} that the options name. */
    private record Recipe(String image, List<String> options, List<Path> files, Probe probe) {}

    private final GenericContainer<?> container;
    private final String image;
    private final Probe probe;
    private final String version;

    private MemcachedContainer(GenericContainer<?> container, String image, Probe probe, String version) {
        this.container = container;
        this.image = image;
        this.probe = probe;
        this.version = version;
    }

    /** Starts a container of the image that {@value #IMAGE_PROPERTY} names, {@code memcached:1.6} by default. */
    public static MemcachedContainer start() {
        return start(image());
    }

    /** Starts a container of an image whose port 11211 answers as memcached. */
    public static MemcachedContainer start(String image) {
        return start(new Recipe(image, List.of(), List.of(), VersionProbe::query));
    }

    /**
     * Starts a container like {@link #start()}, with TLS.
     *
     * @param certificates PEM file with the server's certificate and its chain, copied into the container
     * @param key PEM file with the certificate's private key, also copied
     */
    public static MemcachedContainer startTls(Path certificates, Path key) {
        String options = "ssl_chain_cert=" + inContainer(certificates) + ",ssl_key=" + inContainer(key);
        SocketFactory sockets = Trust.in(certificates).getSocketFactory();
        return start(new Recipe(
                image(),
                List.of("-Z", "-o", options),
                List.of(certificates, key),
                (host, port) -> VersionProbe.query(host, port, sockets)));
    }

    /**
     * Starts a container like {@link #start()}, with text authentication.
     *
     * @param users file with a line {@code user:password} per user, copied into the container
     */
    public static MemcachedContainer startAuthenticated(Path users) {
        return start(new Recipe(image(), List.of("-Y", inContainer(users)), List.of(users), (host, port) -> {
            VersionProbe.queryAnyAnswer(host, port);
            return "authenticated";
        }));
    }

    private static String image() {
        return System.getProperty(IMAGE_PROPERTY, DEFAULT_IMAGE);
    }

    private static String inContainer(Path file) {
        return DIRECTORY + file.getFileName();
    }

    private static MemcachedContainer start(Recipe recipe) {
        try {
            DockerEngine engine = DockerEngine.find(System.getenv("DOCKER_HOST"));
            if (!engine.hasImage(recipe.image())) {
                engine.pull(recipe.image(), PULL_TIMEOUT);
            }
            checkReaper(engine);
            return await(recipe);
        } catch (IOException e) {
            throw failure(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Checks that the engine holds Ryuk's image or can pull it. Testcontainers starts Ryuk first, and would otherwise
     * retry the pull for two minutes.
     */
    @SuppressWarnings("deprecation") // no other method returns the name of the image
    private static void checkReaper(DockerEngine engine) throws IOException {
        if (Boolean.parseBoolean(System.getenv("TESTCONTAINERS_RYUK_DISABLED"))) {
            return;
        }
        String reaper = TestcontainersConfiguration.getInstance().getRyukImage();
        try {
            if (!engine.hasAnyTagOf(reaper)) {
                engine.pull(reaper, PULL_TIMEOUT);
            }
        } catch (IOException e) {
            throw new IOException("Testcontainers needs " + reaper + ": " + e.getMessage() + "; " + ADVICE, e);
        }
    }

    private static MemcachedContainer await(Recipe recipe) {
        String image = recipe.image();
        FutureTask<MemcachedContainer> starting = new FutureTask<>(() -> startOnFreePort(recipe));
        runOnDaemon(starting, "memcached-container-start");
        try {
            return starting.get(TOTAL_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            starting.cancel(true);
            throw failure("Testcontainers did not start " + image + " within " + TOTAL_TIMEOUT + "; " + ADVICE, e);
        } catch (ExecutionException e) {
            throw failure("Testcontainers cannot start " + image + ": " + e.getCause(), e);
        } catch (InterruptedException e) {
            starting.cancel(true);
            Thread.currentThread().interrupt();
            throw failure("interrupted while starting " + image, e);
        }
    }

    /** Starts a container, on another port if a process has taken the first meanwhile. */
    private static MemcachedContainer startOnFreePort(Recipe recipe) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return startNow(recipe);
            } catch (RuntimeException e) {
                if (attempt == START_ATTEMPTS || !isOfTakenPort(e)) {
                    throw e;
                }
            }
        }
    }

    private static boolean isOfTakenPort(@Nullable Throwable failure) {
        return failure != null
                && (String.valueOf(failure.getMessage()).matches("(?s).*already (in use|allocated).*")
                        || isOfTakenPort(failure.getCause()));
    }

    @SuppressWarnings("resource") // handed to the caller, or closed below
    private static MemcachedContainer startNow(Recipe recipe) throws IOException {
        DockerImageName name = DockerImageName.parse(recipe.image());
        GenericContainer<?> container =
                new GenericContainer<>(name).withExposedPorts(MEMCACHED_PORT).waitingFor(new NoWait());
        // A port chosen by the engine would change after a network cut.
        container.setPortBindings(List.of(MemcachedProcess.freePort() + ":" + MEMCACHED_PORT));
        if (!recipe.options().isEmpty()) {
            container.withCommand(recipe.options().toArray(String[]::new));
        }
        for (Path file : recipe.files()) {
            container.withCopyFileToContainer(MountableFile.forHostPath(file, READABLE_BY_ALL), inContainer(file));
        }
        try {
            container.start();
            int port = container.getMappedPort(MEMCACHED_PORT);
            String version = VersionProbe.await(
                    () -> recipe.probe().query(container.getHost(), port), START_TIMEOUT, container::isRunning);
            return new MemcachedContainer(container, recipe.image(), recipe.probe(), version);
        } catch (IOException | RuntimeException e) {
            container.stop();
            throw e;
        }
    }

    private static void runOnDaemon(FutureTask<?> task, String threadName) {
        Thread thread = new Thread(task, threadName);
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns the container's id, for the engine's own commands. */
    public String containerId() {
        return container.getContainerId();
    }

    /** Pauses memcached: its connections stay open, but nothing is answered. */
    public void pause() {
        command(DockerEngine::pause);
    }

    /** Resumes a paused memcached. */
    public void resume() {
        command(DockerEngine::unpause);
    }

    /** Disconnects the container from its network: connections stay open, but data sent to them is lost. */
    public void cutNetwork() {
        command(DockerEngine::disconnect);
    }

    /** Reconnects the container to its network, under the same address and port. */
    public void restoreNetwork() {
        command(DockerEngine::connect);
    }

    /** Kills memcached (SIGKILL). The container and its port stay. */
    public void kill() {
        command(DockerEngine::kill);
    }

    /** Kills memcached if it runs, and starts an empty one on the same port. Returns when it answers. */
    public void restart() {
        command(DockerEngine::restart);
        try {
            VersionProbe.await(() -> probe.query(host(), port()), START_TIMEOUT, () -> true);
        } catch (IOException e) {
            throw new IllegalStateException("container " + image + " does not answer after a restart", e);
        }
    }

    private interface EngineCommand {
        void execute(DockerEngine engine, String containerId) throws IOException;
    }

    private void command(EngineCommand command) {
        try {
            command.execute(DockerEngine.named(System.getenv("DOCKER_HOST")), containerId());
        } catch (IOException e) {
            throw failure("container " + image + ": " + e.getMessage(), e);
        }
    }

    private static ContainerException failure(String message, Exception cause) {
        return new ContainerException(ContainerException.NO_ANSWER, message, cause);
    }

    @Override
    public String host() {
        return container.getHost();
    }

    @Override
    public int port() {
        return container.getMappedPort(MEMCACHED_PORT);
    }

    @Override
    public String description() {
        return "container " + image + " " + version + " on " + host() + ":" + port();
    }

    /** Stops and removes the container, waiting up to 30 seconds. */
    @Override
    public void close() {
        FutureTask<?> stopping = new FutureTask<>(container::stop, true);
        runOnDaemon(stopping, "memcached-container-stop");
        try {
            stopping.get(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            System.err.println("container " + image + " was not stopped: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return "container " + image + " " + version;
    }

    /** Wait strategy that leaves the wait to the version probe; the usual check needs a shell in the image. */
    private static final class NoWait extends AbstractWaitStrategy {

        @Override
        protected void waitUntilReady() {
            // The caller waits afterwards.
        }
    }
}
