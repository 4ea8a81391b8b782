// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.memshard.bench.command.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Containers for client and server by a local Docker engine. Their image is empty: they see the programs and libraries
 * of this machine, read-only. So both run the same JDK and memcached as without containers, and need no image registry.
 *
 * <p>They share the network and the process numbers of the machine. So there is no address translation between client
 * and server, and the CPU time of the server can be read in the fork. Threading: stateless.
 */
final class Containers {

    /** Name of an empty image, which is created unless it exists. */
    private static final String IMAGE = "memshard/lab:local";

    private static final String DOCKER = "docker";
    private static final List<String> SYSTEM = List.of("/usr", "/bin", "/lib", "/lib64", "/etc");
    static final int SERVER_MEGABYTES = 1024;

    private static final long PATIENCE_SECONDS = 60;

    private Containers() {}

    /** Returns whether a Docker engine of this machine answers, and the machine runs Linux. */
    static boolean areAvailable() {
        String host = System.getenv().getOrDefault("DOCKER_HOST", "");
        if (!Files.isDirectory(Path.of("/proc/self"))
                || Isolation.path(DOCKER).isEmpty()
                || !(host.isEmpty() || host.startsWith("unix:"))) {
            return false;
        }
        try {
            // Without an engine some clients answer and print nothing.
            return !version().isBlank();
        } catch (BenchException e) {
            return false;
        }
    }

    /** Returns the version of the engine. */
    static String version() {
        return output(List.of(DOCKER, "version", "--format", "{{.Server.Version}}"));
    }

    /** Starts a container with the limits of the lab and returns whether that worked. */
    static boolean start() {
        try {
            makeImage();
            List<String> command = limits(
                    "--rm",
                    "memshard-lab-probe-" + ProcessHandle.current().pid(),
                    Processors.allowed().subList(0, 1),
                    SERVER_MEGABYTES);
            command.addAll(List.of(IMAGE, "true"));
            output(command);
            return true;
        } catch (BenchException e) {
            return false;
        }
    }

    /** Makes the image unless it exists. */
    static void makeImage() {
        try {
            output(List.of(DOCKER, "image", "inspect", IMAGE));
        } catch (BenchException e) {
            output(List.of("sh", "-c", "tar -c --files-from /dev/null | " + DOCKER + " import - " + IMAGE));
        }
    }

    /**
     * Returns the first words of a command line that runs a program in a container. The container ends with the
     * program.
     *
     * @param name name of the container
     * @param cpus processors that the container may use
     * @param megabytes limit of the memory in megabytes, swap included
     * @param readable folders that the program may read, in addition to those of the system
     * @param writable only folder that the program may write
     */
    static List<String> foreground(String name, List<Integer> cpus, int megabytes, List<Path> readable, Path writable) {
        List<String> command = limits("--rm", name, cpus, megabytes);
        readable.forEach(folder -> command.addAll(List.of("-v", folder + ":" + folder + ":ro")));
        command.addAll(List.of("-v", writable + ":" + writable, "-w", writable.toString(), IMAGE));
        return command;
    }

    /** Starts a memcached in a container and returns at once. */
    static void startServer(String name, List<Integer> cpus, List<String> arguments) {
        List<String> command = limits("-d", name, cpus, SERVER_MEGABYTES);
        command.addAll(List.of(IMAGE, "memcached"));
        command.addAll(arguments);
        output(command);
    }

    private static List<String> limits(String how, String name, List<Integer> cpus, int megabytes) {
        String user = output(List.of("id", "-u")) + ":" + output(List.of("id", "-g"));
        List<String> command = new ArrayList<>(List.of(
                Isolation.path(DOCKER),
                "run",
                how,
                "--name",
                name,
                "--network=host",
                "--pid=host",
                "--user=" + user,
                "--tmpfs=/tmp",
                "--cpuset-cpus=" + Processors.text(cpus),
                "--cpus=" + cpus.size(),
                "--memory=" + megabytes + "m",
                "--memory-swap=" + megabytes + "m"));
        SYSTEM.stream()
                .filter(folder -> Files.isDirectory(Path.of(folder)))
                .forEach(folder -> command.addAll(List.of("-v", folder + ":" + folder + ":ro")));
        return command;
    }

    /** Returns the id of a container's process on this machine. */
    static long pid(String name) {
        return Long.parseLong(output(List.of(DOCKER, "inspect", "-f", "{{.State.Pid}}", name)));
    }

    /** Returns the last three lines of a container's output. */
    static String log(String name) {
        return output(List.of(DOCKER, "logs", "--tail", "3", name));
    }

    /** Ends and removes the container, if it exists. */
    static void remove(String name) {
        try {
            output(List.of(DOCKER, "rm", "-f", name));
        } catch (BenchException e) {
            // The container has ended and no longer exists.
        }
    }

    /** Runs a short program. Returns its output, without surrounding space. */
    static String output(List<String> command) {
        try {
            Path said = Files.createTempFile("lab-command", ".txt");
            try {
                Process process = new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start();
                boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
                process.destroyForcibly();
                String text = Files.readString(said, UTF_8).strip();
                if (!ended || process.exitValue() != 0) {
                    String how = ended ? " failed: " : " does not end: ";
                    throw new BenchException(String.join(" ", command) + how + text);
                }
                return text;
            } finally {
                Files.delete(said);
            }
        } catch (IOException e) {
            throw new BenchException("cannot run " + String.join(" ", command) + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted while " + command.get(0) + " ran", e);
        }
    }
}
