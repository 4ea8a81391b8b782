// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.URLEncoder;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Client of a Docker engine: answers the queries that decide whether to start Testcontainers, and sends the commands
 * that Testcontainers lacks. Testcontainers itself waits minutes for an engine or an image that does not exist.
 *
 * <p>{@code Protocol}: the engine's HTTP API on its unix socket or on plain TCP: {@code /images/NAME/json}, {@code
 * /images/create}, {@code /containers/ID/pause}, {@code unpause}, {@code kill} and {@code restart}, {@code
 * /networks/NAME/disconnect} and {@code connect}. {@code Threading}: immutable. {@code Failure}: {@link IOException}
 * without an answer, {@link ContainerException} if the engine rejects a command.
 */
final class DockerEngine {

    private static final Path DEFAULT_SOCKET = Path.of("/var/run/docker.sock");
    private static final Duration QUERY_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(20);
    private static final String NETWORK = "bridge";
    private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.\\d (\\d{3})");
    private static final int OK = 200;
    private static final int NO_CONTENT = 204;

    private final SocketAddress address;

    private DockerEngine(SocketAddress address) {
        this.address = address;
    }

    /** Answer of the engine, status line first. */
    private record Answer(String text) {

        /** Returns the HTTP status; {@link ContainerException#NO_ANSWER} without a status line. */
        int status() {
            Matcher line = STATUS_LINE.matcher(text);
            return line.lookingAt() ? Integer.parseInt(line.group(1)) : ContainerException.NO_ANSWER;
        }

        /** Returns the last line that names an error, which is JSON in most answers. */
        String reason() {
            return text.lines()
                    .filter(line -> line.contains("rror") || line.contains("message"))
                    .reduce((before, line) -> line)
                    .or(() -> text.lines().findFirst())
                    .orElse("no answer");
        }
    }

    /**
     * Finds the engine and verifies within 10 seconds that it answers.
     *
     * @param dockerHost the value of {@code DOCKER_HOST}, or null for the default socket
     * @throws IOException with the reason, if no engine answers
     */
    static DockerEngine find(@Nullable String dockerHost) throws IOException {
        DockerEngine engine = named(dockerHost);
        engine.ping(QUERY_TIMEOUT);
        return engine;
    }

    /** Verifies that the engine answers within {@code timeout}. */
    void ping(Duration timeout) throws IOException {
        Answer answer = request("GET", "/_ping", timeout);
        if (answer.status() != OK) {
            throw new IOException("the Docker engine at " + address + " is unhealthy: " + answer.reason());
        }
    }

    /**
     * Returns the engine of an address without a request to it.
     *
     * @param dockerHost the value of {@code DOCKER_HOST}, or null for the default socket
     * @throws IOException if the address is malformed, or its socket does not exist
     */
    static DockerEngine named(@Nullable String dockerHost) throws IOException {
        return new DockerEngine(address(dockerHost));
    }

    private static SocketAddress address(@Nullable String dockerHost) throws IOException {
        if (dockerHost == null || dockerHost.isEmpty()) {
            return unixSocket(DEFAULT_SOCKET);
        }
        URI uri;
        try {
            uri = URI.create(dockerHost);
        } catch (IllegalArgumentException e) {
            throw new IOException("DOCKER_HOST is malformed: " + dockerHost, e);
        }
        if ("unix".equals(uri.getScheme())) {
            return unixSocket(Path.of(uri.getPath()));
        }
        if ("tcp".equals(uri.getScheme()) && uri.getHost() != null && uri.getPort() > 0) {
            return new InetSocketAddress(uri.getHost(), uri.getPort());
        }
        throw new IOException("DOCKER_HOST must be unix:///path or tcp://host:port, is " + dockerHost);
    }

    private static SocketAddress unixSocket(Path path) throws IOException {
        if (!Files.exists(path)) {
            throw new IOException("no Docker engine: " + path + " does not exist");
        }
        return UnixDomainSocketAddress.of(path);
    }

    /** Returns whether the engine holds the image. */
    boolean hasImage(String image) throws IOException {
        return request("GET", "/images/" + image + "/json", QUERY_TIMEOUT).status() == OK;
    }

    /** Returns whether the engine holds the image's repository under any tag. */
    boolean hasAnyTagOf(String image) throws IOException {
        String repository = image.replaceFirst(":[^/:]*$", "");
        String filters = "{\"reference\":[\"" + repository + "\"]}";
        String path = "/images/json?filters=" + URLEncoder.encode(filters, StandardCharsets.UTF_8);
        return request("GET", path, QUERY_TIMEOUT).text().contains("\"RepoTags\"");
    }

    /**
     * Requests the engine to pull an image that it does not hold.
     *
     * @throws IOException if the engine does not hold the image afterwards
     */
    void pull(String image, Duration timeout) throws IOException {
        String path = "/images/create?fromImage=" + URLEncoder.encode(image, StandardCharsets.UTF_8);
        Answer answer = request("POST", path, timeout);
        if (!hasImage(image)) {
            throw new IOException("image " + image + " is not present and cannot be pulled: " + answer.reason());
        }
    }

    /** Pauses every process of a container: its connections stay open, but nothing is answered. */
    void pause(String containerId) throws IOException {
        command("/containers/" + containerId + "/pause", "");
    }

    /** Resumes a paused container. */
    void unpause(String containerId) throws IOException {
        command("/containers/" + containerId + "/unpause", "");
    }

    /** Kills the process of a container; the container stays. */
    void kill(String containerId) throws IOException {
        command("/containers/" + containerId + "/kill", "");
    }

    /** Starts a container that was killed, or kills and starts it. */
    void restart(String containerId) throws IOException {
        command("/containers/" + containerId + "/restart?t=0", "");
    }

    /** Disconnects a container from the default network: data sent to it is lost. */
    void disconnect(String containerId) throws IOException {
        command("/networks/" + NETWORK + "/disconnect", "{\"Container\":\"" + containerId + "\",\"Force\":true}");
    }

    /** Reconnects a container to the default network. */
    void connect(String containerId) throws IOException {
        command("/networks/" + NETWORK + "/connect", "{\"Container\":\"" + containerId + "\"}");
    }

    private void command(String path, String body) throws IOException {
        Answer answer = request("POST", path, body, COMMAND_TIMEOUT);
        int status = answer.status();
        if (status != OK && status != NO_CONTENT) {
            throw new ContainerException(
                    status, "Docker rejected " + path + ": " + answer.reason() + " (" + status + ")", null);
        }
    }

    /** Sends one request on a new connection, and reads the answer to its end. */
    private Answer request(String method, String path, Duration timeout) throws IOException {
        return request(method, path, "", timeout);
    }

    private Answer request(String method, String path, String body, Duration timeout) throws IOException {
        boolean unix = address instanceof UnixDomainSocketAddress;
        try (SocketChannel channel =
                SocketChannel.open(unix ? StandardProtocolFamily.UNIX : StandardProtocolFamily.INET)) {
            CompletableFuture<String> answer = new CompletableFuture<>();
            Thread exchange = new Thread(() -> exchange(channel, method, path, body, answer), "docker-engine-query");
            exchange.setDaemon(true);
            exchange.start();
            // Leaving this block closes the channel, which ends the thread.
            return new Answer(answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            throw new IOException("the Docker engine at " + address + " did not answer within " + timeout, e);
        } catch (ExecutionException e) {
            throw new IOException("no Docker engine at " + address + ": " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while querying the Docker engine", e);
        }
    }

    private void exchange(
            SocketChannel channel, String method, String path, String body, CompletableFuture<String> answer) {
        try {
            channel.connect(address);
            String request = method + " " + path + " HTTP/1.0\r\nHost: docker\r\nContent-Type: application/json\r\n"
                    + "Content-Length: " + body.length() + "\r\n\r\n" + body;
            channel.write(StandardCharsets.US_ASCII.encode(request));
            StringBuilder text = new StringBuilder();
            BufferedReader reader = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                text.append(line).append('\n');
            }
            answer.complete(text.toString());
        } catch (IOException | RuntimeException e) {
            answer.completeExceptionally(e);
        }
    }
}
