// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class BenchArchitectureTest {

    @Test
    void packagesFormNoCycle() {
        // Without the classes of the libraries, whose dependencies are of no interest.
        ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
        JavaClasses classes = new ClassFileImporter().importPath(Path.of("target", "classes"));

        slices().matching("io.memshard.bench.(**)").should().beFreeOfCycles().check(classes);
    }
}
