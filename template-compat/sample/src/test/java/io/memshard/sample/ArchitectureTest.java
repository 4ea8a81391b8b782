// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.memshard.sample.(*)..")
                .should()
                .beFreeOfCycles()
                .check(new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages("io.memshard.sample"));
    }
}
