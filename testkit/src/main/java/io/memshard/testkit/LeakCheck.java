// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Check that all threads and sockets that a test created are gone after the test.
 *
 * <p>The check covers threads whose name starts with a prefix, by default {@code memshard}. The check omits the thread
 * {@code memshard-log}, which serves all clients of the JVM. The check covers all sockets that {@code /proc/self/fd}
 * lists. A test must therefore close its server before the check, or start its server before {@link #start()}. Without
 * {@code /proc}, sockets are not checked.
 *
 * <p>Threading: immutable. No other test may run in the same JVM at the same time.
 */
public final class LeakCheck {

    private static final String DEFAULT_PREFIX = "memshard";

    private static final String OF_THE_JVM = "memshard-log";

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    static {
        // The JDK opens an internal socket together with the first socket of a JVM, and keeps it open.
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(null);
                SocketChannel client = SocketChannel.open(new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), listener.socket().getLocalPort()))) {
            client.shutdownOutput();
        } catch (IOException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final String threadPrefix;
    private final Set<Thread> threadsBefore;
    private final Set<String> socketsBefore;

    private LeakCheck(String threadPrefix) {
        this.threadPrefix = threadPrefix;
        threadsBefore = threads();
        socketsBefore = sockets();
    }

    /** Takes a snapshot of the sockets, and of threads whose name starts with {@code memshard}. */
    public static LeakCheck start() {
        return start(DEFAULT_PREFIX);
    }

    /** Takes a snapshot of the sockets, and of threads whose name starts with {@code threadPrefix}. */
    public static LeakCheck start(String threadPrefix) {
        return new LeakCheck(threadPrefix);
    }

    /** Checks like {@link #assertNothingLeft(Duration)}, with a timeout of 60 seconds. */
    public void assertNothingLeft() {
        assertNothingLeft(DEFAULT_TIMEOUT);
    }

    /**
     * Waits until all threads and sockets that are not in the snapshot are gone.
     *
     * @throws AssertionError if some of these threads or sockets are left after {@code timeout}; the message names them
     */
    public void assertNothingLeft(Duration timeout) {
        if (!Eventually.holdsWithin(timeout, () -> describeLeaks().isEmpty())) {
            throw new AssertionError("these threads and sockets are left after " + timeout + ": " + describeLeaks());
        }
    }

    /** Returns the names of the checked threads that run now and did not run when the snapshot was taken. */
    public List<String> threadsSince() {
        return threads().stream()
                .filter(thread -> !threadsBefore.contains(thread))
                .map(Thread::getName)
                .toList();
    }

    private String describeLeaks() {
        return Stream.concat(
                        threadsSince().stream().map(name -> "thread " + name),
                        sockets().stream().filter(socket -> !socketsBefore.contains(socket)))
                .collect(Collectors.joining(", "));
    }

    private Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(threadPrefix)
                        && !thread.getName().startsWith(OF_THE_JVM))
                .collect(Collectors.toSet());
    }

    private static Set<String> sockets() {
        String[] descriptors = DESCRIPTORS.toFile().list();
        return Stream.of(descriptors == null ? new String[0] : descriptors)
                .map(LeakCheck::target)
                .filter(target -> target.startsWith("socket:"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String target(String descriptor) {
        try {
            return Files.readSymbolicLink(DESCRIPTORS.resolve(descriptor)).toString();
        } catch (IOException e) {
            return ""; // Closed since the directory was read.
        }
    }
}
