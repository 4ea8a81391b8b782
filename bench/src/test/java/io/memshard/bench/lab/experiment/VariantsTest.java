// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.bench.lab.Experiments;
import io.memshard.bench.result.BenchException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VariantsTest {

    private static final Arm.Opener NONE = setup -> caller -> number -> 0;

    @TempDir
    private Path folder;

    @Test
    void aJarOfAnArmHasAnExactVersion() {
        List<String> jars = Experiments.ALL.stream()
                .flatMap(experiment -> experiment.arms().stream())
                .filter(arm -> !arm.variant().isEmpty())
                .flatMap(arm -> Variants.jars(arm.variant()).stream())
                .toList();

        assertThat(jars).isNotEmpty().allMatch(jar -> jar.matches("[^:]+:[^:]+:[^:]*\\d[^:]*"));
        assertThat(jars).noneMatch(jar -> jar.matches(".*(\\[|LATEST|SNAPSHOT).*"));
    }

    @Test
    void aVariantHasItsFlags() {
        assertThat(Variants.arm("proxool", "proxool-0.9.1", NONE).jvmFlags())
                .containsExactly("--add-opens=java.base/java.lang=ALL-UNNAMED");
    }

    @Test
    void theJarsOfAVariantPrecedeTheClassPathOfTheLab() throws Exception {
        Arm druid = Variants.arm("druid", "druid-1.1.20", NONE);
        assertThatExceptionOfType(BenchException.class)
                .isThrownBy(() -> new Variants(folder).classPath(druid, "own.jar"))
                .withMessageStartingWith("variant druid-1.1.20: Maven has not copied com.alibaba:druid:1.1.20:");

        Path jar = Files.createFile(folder.resolve("druid-1.1.20.jar"));
        assertThat(new Variants(folder).classPath(druid, "own.jar")).isEqualTo(jar + File.pathSeparator + "own.jar");
    }
}
