package io.memshard.client;

import static com.tngtech.archunit.base.DescribedPredicate.anyElementThat;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.memshard.client");

    @Test
    void packagesFormNoCycle() {
        slices().matching("io.memshard.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void layersAreOnlyCalledFromAbove() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("exception")
                .definedBy("io.memshard.client.exception")
                .layer("protocol")
                .definedBy("io.memshard.client.protocol")
                .layer("connection")
                .definedBy("io.memshard.client.connection")
                .layer("client")
                .definedBy("io.memshard.client")
                .layer("transcoder")
                .definedBy("io.memshard.client.transcoder")
                .layer("chunked")
                .definedBy("io.memshard.client.chunked")
                .layer("metrics")
                .definedBy("io.memshard.client.metrics")
                .whereLayer("metrics")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("chunked")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("transcoder")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("client")
                .mayOnlyBeAccessedByLayers("transcoder", "chunked")
                .whereLayer("connection")
                .mayOnlyBeAccessedByLayers("client", "metrics")
                .whereLayer("protocol")
                .mayOnlyBeAccessedByLayers("connection", "client")
                .whereLayer("exception")
                .mayOnlyBeAccessedByLayers("protocol", "connection", "client", "transcoder", "chunked", "metrics")
                .check(CLASSES);
    }

    @Test
    void protocolKnowsNoSocketsThreadsOrClocks() {
        noClasses()
                .that()
                .resideInAPackage("io.memshard.client.protocol..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.netty..",
                        "java.io..",
                        "java.net..",
                        "java.nio.channels..",
                        "java.time..",
                        "java.util.concurrent..",
                        "org.slf4j..")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Thread.class)
                .check(CLASSES);
    }

    @Test
    void clientDependsOnNoOtherModule() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.memshard.sharding..", "io.memshard.template..", "io.memshard.testkit..", "net.spy..")
                .check(CLASSES);
    }

    @Test
    void nettyIsConfinedToTheConnection() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.memshard.client.connection")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.netty..")
                .check(CLASSES);
    }

    @Test
    void zstdJniStaysInItsCodec() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("io.memshard.client.transcoder.ZstdCodec")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.github.luben..")
                .check(CLASSES);
    }

    @Test
    void publicMethodsShowNoNetty() {
        noMethods()
                .that()
                .arePublic()
                .and()
                .areDeclaredInClassesThat()
                .arePublic()
                .should()
                .haveRawReturnType(resideInAPackage("io.netty.."))
                .orShould()
                .haveRawParameterTypes(anyElementThat(resideInAPackage("io.netty..")))
                .check(CLASSES);
    }
}
