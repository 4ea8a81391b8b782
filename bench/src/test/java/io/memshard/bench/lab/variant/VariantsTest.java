// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.variant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.bench.lab.variant.Variants.Variant;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VariantsTest {

    @TempDir
    private Path folder;

    @Test
    void everyJarThatResolvesHasAChecksum() {
        assertThat(Variants.all().stream()
                        .flatMap(variant -> variant.jars().stream())
                        .filter(jar -> Variants.checksum(jar) == null)
                        .map(Variant.Jar::coordinates))
                .containsExactly("com.taobao.tbdatasource:tbdatasource:2.0.2");
    }

    @Test
    void aLineNamesTheOldestJavaTheFlagsAndTheJars() {
        Variant variant = Variant.parse("pool-4.1  java>=21 --add-opens=a/b=ALL-UNNAMED g:a:1 g.h:b:2.Final");

        assertThat(variant.oldestJava()).isEqualTo(21);
        assertThat(variant.jvmFlags()).containsExactly("--add-opens=a/b=ALL-UNNAMED");
        assertThat(variant.jars().stream().map(Variant.Jar::fileName)).containsExactly("a-1.jar", "b-2.Final.jar");
    }

    @Test
    void aVersionIsExact() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Variant.parse("pool g:a"))
                .withMessage("a jar is group:artifact:version, not \"g:a\"");
        assertThat(Variants.all().stream()
                        .flatMap(variant -> variant.jars().stream())
                        .map(Variant.Jar::version))
                .allSatisfy(version -> assertThat(version)
                        .doesNotContain("[", "LATEST", "SNAPSHOT")
                        .isNotBlank());
    }

    @Test
    void aVariantThatIsNotThereSaysSo() {
        assertThat(new VariantFolder(folder).whyNot(Variants.named("druid-1.1.20")))
                .contains("Maven has not copied com.alibaba:druid:1.1.20");
    }

    @Test
    void aJarWithAnotherChecksumIsNotMeasured() throws Exception {
        Variant variant = Variants.named("commons-pool-1.3");
        Files.writeString(folder.resolve("commons-pool-1.3.jar"), "not that jar");

        assertThat(new VariantFolder(folder).whyNot(variant))
                .contains("commons-pool:commons-pool:1.3 does not have the SHA-256 of variants.sha256");
    }

    @Test
    void aVariantForANewerJavaSaysSo() {
        Variant variant = Variant.parse("future java>=99 g:a:1");

        assertThat(new VariantFolder(folder).whyNot(variant))
                .contains("needs Java 99, this is " + Runtime.version().feature());
    }
}
