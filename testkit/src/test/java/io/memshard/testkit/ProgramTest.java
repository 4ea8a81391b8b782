// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.opentest4j.TestAbortedException;

class ProgramTest {

    @TempDir
    private Path directory;

    private Path executable(String name) throws IOException {
        Path file = Files.createFile(directory.resolve(name));
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void firstOfItsNamesIsFoundOnThePath() throws IOException {
        Files.createFile(directory.resolve("google-chrome")); // Not executable.
        assertThat(Program.CHROMIUM.find(directory.toString())).isEmpty();
        Path second = executable("chromium-browser");
        assertThat(Program.CHROMIUM.find("/nowhere:" + directory)).contains(second);

        Path first = executable("chromium");
        assertThat(Program.CHROMIUM.find("/nowhere:" + directory)).contains(first);
    }

    /** The test fails instead if real servers are required, but not for lack of a browser. */
    @ParameterizedTest
    @EnumSource
    void missingProgramSkipsTheTestWithAReasonThatNamesThePackage(Program program) {
        assertThat(program.missing(false))
                .isInstanceOf(TestAbortedException.class)
                .hasMessageMatching("this machine lacks [a-z0-9]+, install the package [a-z0-9-]+");
        boolean isBrowser = program == Program.CHROMIUM || program == Program.CHROMEDRIVER;
        assertThat(program.missing(true))
                .isInstanceOf(isBrowser ? TestAbortedException.class : IllegalStateException.class)
                .hasMessageStartingWith(Program.LACK);
    }
}
