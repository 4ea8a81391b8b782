// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.memshard");

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.memshard.(**)")
                .should()
                .beFreeOfCycles()
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    @Test
    void onlyTheEmbeddedMemcachedKnowsItsEngine() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.memshard.testkit.embedded")
                .and()
                .haveNameNotMatching("io\\.memshard\\.testkit\\.EmbeddedMemcached(\\$.*)?")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.memshard.testkit.embedded")
                .check(CLASSES);
    }

    @Test
    void onlyTheExtensionNeedsJUnit() {
        noClasses()
                .that()
                .doNotBelongToAnyOf(MemcachedExtension.class, MemcachedTest.class, NeedsProgram.class)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.junit..")
                .check(CLASSES);
    }

    @Test
    void onlyTheContainerNeedsTestcontainers() {
        noClasses()
                .that()
                .doNotBelongToAnyOf(MemcachedContainer.class)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.testcontainers..")
                .check(CLASSES);
    }
}
