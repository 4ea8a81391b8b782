// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.lab.run.Fork;
import java.nio.file.Path;

/** Program of a fork, which runs the task of the given folder. */
public final class ForkMain {

    private ForkMain() {}

    /**
     * Runs the task of the folder in {@code arguments[0]} and ends the process, even if an arm left threads running.
     */
    public static void main(String[] arguments) {
        Fork.run(Path.of(arguments[0]), Experiments::ofFork);
        System.exit(0);
    }
}
