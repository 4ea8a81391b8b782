// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.memshard.spring.boot");

    @Test
    void packagesHaveNoCycle() {
        slices().matching("io.memshard.spring.boot.(**)..")
                .should()
                .beFreeOfCycles()
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage("io.memshard.spring.boot")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.memshard.spring.boot.*")
                .check(CLASSES);
    }

    /** Others would fail on Spring Boot 3.5 or on 4: ADR 0013. */
    @Test
    void typesThatMovedInSpringBoot4AreNamedByFewClasses() {
        noClasses()
                .that()
                .haveNameNotMatching(".*\\.(MemcachedHealth|MemcachedMetrics|Boot3)[^.]*")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.springframework.boot.actuate..",
                        "org.springframework.boot.health..",
                        "org.springframework.boot.cache..",
                        "org.springframework.boot.thread..",
                        "org.springframework.boot.autoconfigure.cache..",
                        "org.springframework.boot.autoconfigure.thread..",
                        "org.springframework.boot.test.autoconfigure.filter..",
                        "org.springframework.boot.test.context.filter..")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("org\\.springframework\\.boot\\.(EnvironmentPostProcessor"
                        + "|test\\.context\\.PropertyMapping|test\\.autoconfigure\\.TestSlice.*)")
                .check(CLASSES);
        noClasses()
                .that()
                .haveNameNotMatching(".*[.$]Boot3[^.]*")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.springframework.boot.actuate..")
                .check(CLASSES);
    }

    @Test
    void theClientNeedsNoOptionalLibrary() {
        noClasses()
                .that()
                .resideInAnyPackage("io.memshard.spring.boot")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.springframework.boot.actuate..",
                        "org.springframework.boot.health..",
                        "org.springframework.boot.cache..",
                        "org.springframework.boot.test..",
                        "org.springframework.boot.testcontainers..",
                        "org.springframework.boot.docker..",
                        "org.testcontainers..",
                        "io.micrometer..",
                        "io.memshard.testkit..")
                .check(CLASSES);
    }
}
