// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.memshard.client.AsyncMemcachedClient;
import io.memshard.template.spymemcached.SpymemcachedClient;
import io.memshard.template.spymemcached.SpymemcachedConnection;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.memshard.template");

    private static final Set<String> OBJECT_METHODS = Set.of("equals", "hashCode", "toString");

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

    private static Set<String> operations(Class<?> client) {
        List<Method> accessors = client.isRecord()
                ? Stream.of(client.getRecordComponents())
                        .map(RecordComponent::getAccessor)
                        .toList()
                : List.of();
        return Stream.of(client.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !accessors.contains(method))
                .filter(method -> !OBJECT_METHODS.contains(method.getName()))
                .map(method -> method.toGenericString().replace("abstract ", "").replace(client.getName(), "Client"))
                .collect(Collectors.toSet());
    }

    /** {@link LentClient} finds them by name and parameters, which no compiler checks. */
    @Test
    void spymemcachedOperationsHaveTheSignaturesOfOurClient() {
        assertThat(operations(AsyncMemcachedClient.class)).containsAll(operations(SpymemcachedClient.class));
        assertThat(operations(SpymemcachedClient.class)).hasSize(22);
    }
}
