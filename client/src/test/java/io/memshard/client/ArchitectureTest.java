// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArchitectureTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.memshard.client");

    @Test
    void packagesFormNoCycle() {
        slices().matching("io.memshard.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    /**
     * Nor do the classes of the API among themselves: one that knows what implements it cannot be read without that.
     * Left out are packages where two types are each other's counterparts, such as a command and its classic form.
     */
    @Test
    void classesOfTheApiFormNoCycle() {
        slices().assignedFrom(API_CLASSES).should().beFreeOfCycles().check(CLASSES);
    }

    private static final SliceAssignment API_CLASSES = new SliceAssignment() {

        private static final Set<String> ROOMS = Set.of(".", "admin", "meta", "multi", "load", "chunked", "metrics");

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            boolean isOfApi = ROOMS.stream().anyMatch(room -> packageOf(room).equals(type.getPackageName()));
            return isOfApi
                    ? SliceIdentifier.of(type.getFullName().replaceFirst("\\$.*", ""))
                    : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "classes with those nested in them";
        }
    };

    /** Each package of the client and those that it may import, from the lowest to the highest. */
    private static final Map<String, String> MAY_IMPORT = Map.ofEntries(
            entry("exception", ""),
            entry("options", "exception"),
            entry("listener", "exception options"),
            entry("concurrent", "exception"),
            entry("ejection", "exception options concurrent listener"),
            entry("protocol.wire", "exception"),
            entry("protocol", "exception protocol.wire"),
            entry("sender", "exception options concurrent protocol protocol.wire"),
            entry("transcoder", "exception"),
            entry("argument", "exception concurrent transcoder"),
            entry("json", "transcoder"),
            entry("link", "exception options concurrent protocol protocol.wire"),
            entry("connection", "exception options concurrent listener protocol protocol.wire sender ejection link"),
            entry("admin", "exception options"),
            entry("meta", "exception options argument protocol protocol.wire transcoder"),
            entry("multi", "exception"),
            entry("load", "options concurrent argument"),
            entry(".", "exception options argument transcoder admin meta multi load"),
            entry(
                    "operation",
                    "exception options listener concurrent protocol protocol.wire argument transcoder sender admin meta"
                            + " multi load ."),
            entry("chunked", "exception options argument transcoder meta multi load ."),
            entry("metrics", "exception options listener"));

    private static final String LINK = "io\\.memshard\\.client\\.link\\.";

    /** Classes of the transport whose waiting callers do the I/O. */
    private static final String CALLER_DRIVEN =
            LINK + "(CallerDriven|LargeBuffers|LinkReader|LinkSocket|ReaderLoad|Standby).*";

    /** Classes of the transport whose I/O an event loop of Netty does. */
    private static final String EVENT_LOOP = LINK + "(EventLoop|Netty|Tls|WatchedLoop).*";

    private static String packageOf(String room) {
        return room.equals(".") ? "io.memshard.client" : "io.memshard.client." + room;
    }

    @Test
    void packagesImportOnlyLowerLayers() {
        Set<String> known =
                MAY_IMPORT.keySet().stream().map(ArchitectureTest::packageOf).collect(Collectors.toSet());
        assertThat(CLASSES.stream().map(JavaClass::getPackageName)).isSubsetOf(known);
        MAY_IMPORT.forEach((room, names) -> {
            List<String> allowed = List.of(names.split(" "));
            String[] forbidden = MAY_IMPORT.keySet().stream()
                    .filter(other -> !other.equals(room) && !allowed.contains(other))
                    .map(ArchitectureTest::packageOf)
                    .toArray(String[]::new);
            noClasses()
                    .that()
                    .resideInAPackage(packageOf(room))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(forbidden)
                    .check(CLASSES);
        });
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

    /** A log may block, so only the thread of {@code ClientLog} writes to it. */
    @Test
    void onlyTheThreadOfTheLogWritesToIt() {
        noClasses()
                .that()
                .doNotHaveSimpleName("ClientLog")
                .should()
                .accessClassesThat()
                .haveFullyQualifiedName("org.slf4j.Logger")
                .check(CLASSES);
    }

    @ParameterizedTest
    @CsvSource({
        "io.netty.., link\\.(EventLoop|Netty|Tls|WatchedLoop).*",
        "com.github.luben.., transcoder\\.ZstdCodec",
        "tools.jackson.., json\\.Jackson3Transcoder(\\$.*)?",
        "com.fasterxml.jackson.., json\\.Jackson2Transcoder(\\$.*)?",
    })
    void eachLibraryStaysInTheClassesThatNeedIt(String library, String classes) {
        noClasses()
                .that()
                .haveNameNotMatching("io\\.memshard\\.client\\." + classes)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .check(CLASSES);
    }

    /** Guards that neither transport needs the other, and that no link needs either. */
    @Test
    void onlyATransportKnowsItself() {
        for (String transport : List.of(CALLER_DRIVEN, EVENT_LOOP)) {
            noClasses()
                    .that()
                    .haveNameMatching(LINK + ".*")
                    .and()
                    .haveNameNotMatching(transport)
                    .should()
                    .dependOnClassesThat()
                    .haveNameMatching(transport)
                    .check(CLASSES);
        }
    }
}
