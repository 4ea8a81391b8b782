// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.opentest4j.TestAbortedException;

/**
 * A program that tests start and a machine may lack. A test that needs one is then skipped, with a reason that begins
 * with {@value #LACK} and names the package to install.
 *
 * <p>With {@code -Dmemshard.server=real} such a test fails instead. The programs of a browser are the exception,
 * because many a machine can have none.
 *
 * <p>{@code Threading}: immutable.
 */
public enum Program {
    /** The server. */
    MEMCACHED("memcached", true, "memcached"),
    /** The proxy twemproxy. */
    NUTCRACKER("nutcracker", true, "nutcracker"),
    /** It makes the users of a memcached with SASL. */
    SASLPASSWD2("sasl2-bin", true, "saslpasswd2"),
    /** The browser. */
    CHROMIUM("chromium", false, "chromium", "chromium-browser", "google-chrome"),
    /** It steers the browser. */
    CHROMEDRIVER("chromium-driver", false, "chromedriver");

    /** With which the reason of each test begins that is skipped for what the machine lacks. */
    public static final String LACK = "this machine lacks ";

    private final String packageName;
    private final boolean isDemanded;

    @SuppressWarnings("ImmutableEnumChecker") // It is a List.of.
    private final List<String> names;

    Program(String packageName, boolean isDemanded, String... names) {
        this.packageName = packageName;
        this.isDemanded = isDemanded;
        this.names = List.of(names);
    }

    /** The program that the environment's PATH leads to, if there is one. */
    public Optional<Path> find() {
        return find(Optional.ofNullable(System.getenv("PATH")).orElse(""));
    }

    Optional<Path> find(String path) {
        // Where Debian has it, and a user's PATH does not lead.
        String searched = this == SASLPASSWD2 ? path + File.pathSeparator + "/usr/sbin" : path;
        return names.stream()
                .flatMap(name -> MemcachedProcess.findOnPath(searched, name).stream())
                .findFirst();
    }

    /**
     * Finds the program, or skips the test that calls it.
     *
     * @throws TestAbortedException if there is none, which JUnit takes for a skipped test
     * @throws IllegalStateException if there is none and {@code memshard.server} is {@code real}
     */
    public Path need() {
        return find().orElseThrow(() -> missing(isReal()));
    }

    private static boolean isReal() {
        return "real".equals(System.getProperty(ServerLadder.MODE_PROPERTY));
    }

    /** What the test that needs this program is to throw. */
    RuntimeException missing(boolean isReal) {
        String reason = names.get(0) + ", install the package " + packageName;
        return isReal && isDemanded ? new IllegalStateException(LACK + reason) : skip(reason);
    }

    /**
     * Skips a test for something else that the machine lacks.
     *
     * @param lack what it is, and how to get it
     * @return what the test is to throw
     */
    public static TestAbortedException skip(String lack) {
        return new TestAbortedException(LACK + lack);
    }
}
