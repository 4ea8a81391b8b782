// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.memshard");

    @Test
    void packagesOfClientAndShardingFormNoCycle() {
        slices().matching("io.memshard.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void clientNeverImportsSharding() {
        noClasses()
                .that()
                .resideInAPackage("io.memshard.client..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.memshard", "io.memshard.sharding..")
                .check(CLASSES);
    }

    @Test
    void shardingKnowsNoEntryPoint() {
        noClasses()
                .that()
                .resideInAPackage("io.memshard.sharding..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.memshard")
                .check(CLASSES);
    }

    @Test
    void shardingKnowsNoOtherClientAndNettyOnlyToAskTheDns() {
        noClasses()
                .that()
                .resideInAnyPackage("io.memshard", "io.memshard.sharding..")
                .and()
                .haveSimpleNameNotStartingWith("DnsLookup")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.netty..", "net.spy..", "org.springframework..", "org.apache.commons..")
                .check(CLASSES);
    }
}
