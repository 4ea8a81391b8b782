// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import io.memshard.bench.command.RunOptions;
import java.util.ArrayList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of measurements in which contenders call a server. */
public abstract class ContenderOptions extends RunOptions {

    @Option(
            names = "--server",
            paramLabel = "HOST:PORT",
            description = "The memcached to use (default: the first of MEMCACHED_ADDR, a memcached on the PATH that is"
                    + " started on a free port, a container, an embedded server).")
    private @Nullable String server;

    /** Returns the server that was named; null to look for one. */
    public final @Nullable String server() {
        return server;
    }

    /** Returns the contender that {@code name}, a value of {@code --contenders}, stands for. */
    protected final ContenderKind kind(String name) {
        return ContenderKind.of(name.strip())
                .orElseThrow(() -> wrong("unknown contender \"" + name + "\" in --contenders; known are "
                        + String.join(", ", new Names())));
    }

    /** Names of all contenders, for help and completion. */
    public static final class Names extends ArrayList<String> {

        /** Creates the list of all contenders, in their order. */
        public Names() {
            super(Arrays.stream(ContenderKind.values())
                    .map(ContenderKind::label)
                    .toList());
        }
    }
}
