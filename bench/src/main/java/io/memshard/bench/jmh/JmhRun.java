package io.memshard.bench.jmh;

import io.memshard.bench.server.BenchServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Calls JMH with the arguments that it was given, and tells its forks where the server is.
 *
 * <p>Threading: confined to one thread. Failure: JMH ends the process when its arguments are wrong.
 */
public final class JmhRun {

    /** System property of a fork with {@code host:port} of the server. */
    static final String SERVER_PROPERTY = "memshard.bench.server";

    private static final String APPEND = "-jvmArgsAppend";

    /** Options that only list something. */
    private static final Set<String> LISTS = Set.of("-h", "-l", "-lp", "-lprof", "-lrf");

    private JmhRun() {}

    /** Whether {@code arguments} run anything. */
    public static boolean needsServer(List<String> arguments) {
        return arguments.stream().noneMatch(LISTS::contains);
    }

    /**
     * Runs JMH.
     *
     * @param arguments as JMH takes them
     * @param server for the forks; null if nothing is run
     */
    public static void run(List<String> arguments, @Nullable BenchServer server) throws IOException {
        List<String> all = server == null ? arguments : withServer(arguments, server.hostAndPort());
        org.openjdk.jmh.Main.main(all.toArray(String[]::new));
    }

    /** JMH takes {@code -jvmArgsAppend} once, so ours joins one that is there. */
    static List<String> withServer(List<String> arguments, String hostAndPort) {
        String property = "-D" + SERVER_PROPERTY + "=" + hostAndPort;
        List<String> all = new ArrayList<>(arguments);
        int append = all.indexOf(APPEND);
        if (append >= 0 && append + 1 < all.size()) {
            all.set(append + 1, all.get(append + 1) + " " + property);
        } else {
            all.add(APPEND);
            all.add(property);
        }
        return all;
    }
}
