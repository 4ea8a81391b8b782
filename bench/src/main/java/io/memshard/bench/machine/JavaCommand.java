// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.machine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Command lines of other JVMs that this program starts. Threading: stateless. */
public final class JavaCommand {

    private static final int VIRTUAL_THREADS_SINCE = 21;
    private static final int NATIVE_ACCESS_SINCE = 22;

    private JavaCommand() {}

    /** Returns whether this JVM has virtual threads. */
    public static boolean hasVirtualThreads() {
        return Runtime.version().feature() >= VIRTUAL_THREADS_SINCE;
    }

    /** Returns the class path of this JVM. */
    public static String ownClassPath() {
        return System.getProperty("java.class.path", "");
    }

    /** Returns the command line of a JVM that runs {@code main}, with the JDK of this JVM. */
    public static List<String> of(List<String> flags, String classPath, String main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", classPath, main));
        command.addAll(List.of(arguments));
        return command;
    }

    /**
     * Returns the flag that keeps newer versions of Java from warning about Netty's epoll library; none for older
     * versions.
     */
    public static List<String> nativeAccess() {
        return Runtime.version().feature() >= NATIVE_ACCESS_SINCE
                ? List.of("--enable-native-access=ALL-UNNAMED")
                : List.of();
    }
}
