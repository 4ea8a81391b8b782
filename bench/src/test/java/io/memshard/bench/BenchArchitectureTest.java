// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class BenchArchitectureTest {

    @Test
    void packagesFormNoCycle() {
        JavaClasses classes = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("io.memshard.bench");

        slices().matching("io.memshard.bench.(*)..").should().beFreeOfCycles().check(classes);
    }
}
