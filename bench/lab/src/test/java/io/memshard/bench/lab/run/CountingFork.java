// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import java.nio.file.Path;

/** The program of a fork of {@link Counting}. */
final class CountingFork {

    private CountingFork() {}

    public static void main(String[] arguments) {
        Fork.run(Path.of(arguments[0]), name -> new Counting());
    }
}
