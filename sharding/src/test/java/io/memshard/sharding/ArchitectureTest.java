// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    /** Of this module. The client's packages cannot import them, because the client is built without this module. */
    private static final JavaClasses CLASSES = new ClassFileImporter().importPath(Path.of("target", "classes"));

    private static final JavaClasses CLASSES_OF_SHARDING =
            CLASSES.that(JavaClass.Predicates.resideInAPackage("io.memshard.sharding.."));

    @Test
    void packagesFormNoCycle() {
        slices().matching("io.memshard.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void onlyTheThreadOfTheLogWritesToIt() {
        noClasses()
                .should()
                .accessClassesThat()
                .haveFullyQualifiedName("org.slf4j.Logger")
                .check(CLASSES);
    }

    /** Each package and those of them that it may import, from the lowest to the highest. */
    private static final Map<String, List<String>> MAY_IMPORT = Map.ofEntries(
            entry("ring", List.of()),
            entry("migration", List.of()),
            entry("replica", List.of()),
            entry("sharding", List.of("ring")),
            entry("discovery", List.of("ring")),
            entry("cluster", List.of("ring", "sharding", "discovery")),
            entry("copies", List.of()),
            entry("copies.migration", List.of("copies", "migration")),
            entry("copies.zones", List.of("copies", "replica")));

    private static String packageOf(String layer) {
        return layer.equals("sharding") ? "io.memshard.sharding" : "io.memshard.sharding." + layer;
    }

    @Test
    void packagesImportOnlyLowerLayers() {
        LayeredArchitecture layers =
                layeredArchitecture().consideringOnlyDependenciesInAnyPackage("io.memshard.sharding..");
        for (String layer : MAY_IMPORT.keySet()) {
            layers = layers.layer(layer).definedBy(packageOf(layer));
        }
        for (Map.Entry<String, List<String>> allowed : MAY_IMPORT.entrySet()) {
            LayeredArchitecture.LayerDependencySpecification layer = layers.whereLayer(allowed.getKey());
            layers = allowed.getValue().isEmpty()
                    ? layer.mayNotAccessAnyLayer()
                    : layer.mayOnlyAccessLayers(allowed.getValue().toArray(String[]::new));
        }
        layers.ensureAllClassesAreContainedInArchitecture().check(CLASSES_OF_SHARDING);
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
    void shardingUsesNoOtherClientAndNettyOnlyForDns() {
        noClasses()
                .that()
                .resideInAnyPackage("io.memshard", "io.memshard.sharding..")
                .and()
                .haveNameNotMatching(".*\\.DnsLookup(\\$.*)?")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.netty..", "net.spy..", "org.springframework..", "org.apache.commons..")
                .check(CLASSES);
    }
}
