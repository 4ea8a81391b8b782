// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class LabArchitectureTest {

    @Test
    void packagesFormNoCycle() {
        JavaClasses classes = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("io.memshard.bench.lab");

        slices().matching("io.memshard.bench.lab.(*)..")
                .should()
                .beFreeOfCycles()
                .check(classes);
    }
}
