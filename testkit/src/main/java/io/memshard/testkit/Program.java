// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.opentest4j.TestAbortedException;

/**
 * Program that tests start and that a machine may lack. A test that needs a missing program is skipped, with a reason
 * that begins with {@value #LACK} and names the package to install.
 *
 * <p>With {@code -Dmemshard.server=real}, the test fails instead. If the missing program is a browser or its driver,
 * the test is still skipped, because many machines cannot have a browser.
 *
 * <p>Threading: immutable.
 */
public enum Program {
    MEMCACHED("memcached", true, "memcached"),
    NUTCRACKER("nutcracker", true, "nutcracker"),
    CHROMIUM("chromium", false, "chromium", "chromium-browser", "google-chrome"),
    CHROMEDRIVER("chromium-driver", false, "chromedriver");

    public static final String LACK = "this machine lacks ";

    private final String packageName;
    private final boolean isDemanded;

    @SuppressWarnings("ImmutableEnumChecker") // The list is a List.of.
    private final List<String> names;

    Program(String packageName, boolean isDemanded, String... names) {
        this.packageName = packageName;
        this.isDemanded = isDemanded;
        this.names = List.of(names);
    }

    public Optional<Path> find() {
        return find(Optional.ofNullable(System.getenv("PATH")).orElse(""));
    }

    Optional<Path> find(String path) {
        return Stream.of(path.split(File.pathSeparator))
                .filter(directory -> !directory.isEmpty())
                .flatMap(directory -> names.stream().map(name -> Path.of(directory, name)))
                .filter(candidate -> Files.isExecutable(candidate) && !Files.isDirectory(candidate))
                .findFirst();
    }

    /**
     * Finds the program, or skips the test that calls this method.
     *
     * @throws TestAbortedException if the program is missing; JUnit reports the test as skipped
     * @throws IllegalStateException if the program is missing and {@code memshard.server} is {@code real}
     */
    public Path need() {
        return find().orElseThrow(() -> missing("real".equals(System.getProperty(ServerLadder.MODE_PROPERTY))));
    }

    RuntimeException missing(boolean isReal) {
        String reason = names.get(0) + ", install the package " + packageName;
        return isReal && isDemanded ? new IllegalStateException(LACK + reason) : skip(reason);
    }

    /**
     * Returns an exception that makes JUnit skip a test, because the machine lacks something other than a program.
     *
     * @param lack what the machine lacks, and how to install it
     */
    public static RuntimeException skip(String lack) {
        return Skipped.because(LACK + lack);
    }

    /** Separate class, so that {@link Program} works without JUnit on the class path. */
    private static final class Skipped {

        static RuntimeException because(String reason) {
            return new TestAbortedException(reason);
        }
    }
}
