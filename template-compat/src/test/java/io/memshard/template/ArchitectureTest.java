// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.memshard.template.spymemcached.SpymemcachedConnection;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.memshard.template");

    @Test
    void packagesHaveNoCycle() {
        slices().matching("io.memshard.template.(**)..")
                .should()
                .beFreeOfCycles()
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage("io.memshard.template.*")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.memshard.template")
                .check(CLASSES);
    }

    @Test
    void spymemcachedStaysInItsEngine() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.memshard.template.spymemcached")
                .should()
                .dependOnClassesThat(resideInAPackage("net.spy.."))
                .check(CLASSES);
    }

    @Test
    void commonsPoolStaysInThePool() {
        noClasses()
                .that()
                .doNotBelongToAnyOf(ConnectionPool.class)
                .should()
                .dependOnClassesThat(resideInAPackage("org.apache.commons.."))
                .check(CLASSES);
    }

    @Test
    void springAndJacksonAreNeededNowhere() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.springframework..", "tools.jackson.."))
                .check(CLASSES);
    }

    @Test
    void theEngineSpymemcachedHasOneEntranceAndItsClient() {
        classes()
                .that()
                .resideInAPackage("io.memshard.template.spymemcached")
                .and()
                .arePublic()
                .should()
                .haveNameMatching(SpymemcachedConnection.class.getPackageName() + "\\.Spymemcached(Connection|Client)")
                .check(CLASSES);
    }
}
