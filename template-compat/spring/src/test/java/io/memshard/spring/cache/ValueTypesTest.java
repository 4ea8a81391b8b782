// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Types of cached values, by the declarations of methods. */
class ValueTypesTest {

    /** Declarations only: nobody calls these methods. */
    abstract static class Declared<T> {

        abstract String simple();

        abstract int primitive();

        abstract byte[] array();

        abstract List<String> list();

        abstract Map<String, Set<Integer>> nested();

        abstract T variable();

        abstract List<T> listOfVariable();

        abstract Optional<List<String>> optional();

        abstract CompletableFuture<List<String>> future();

        abstract CompletionStage<Optional<String>> stage();

        abstract Mono<Map<String, Long>> mono();

        abstract Flux<List<String>> flux();

        abstract Object anything();

        abstract Number number();

        abstract CharSequence characters();

        abstract Map<String, Object> mapOfAnything();

        abstract List<Shape> shapes();

        abstract Shape shape();

        abstract Stream<String> stream();

        abstract Iterable<String> iterable();

        abstract Mono<Iterable<String>> monoOfIterable();

        abstract Optional<Iterable<String>> optionalOfIterable();

        abstract Iterable<T> iterableOfVariable();

        abstract Iterable<?> iterableOfUnknown();

        abstract Iterator<String> iterator();

        abstract void nothing();

        @SuppressWarnings("rawtypes") // Such declarations exist.
        abstract List rawList();

        abstract Named named();

        abstract List<? extends String> bounded();

        abstract TimeUnit constant();

        abstract Box<Integer> box();

        abstract List<?> unknownElements();

        abstract <X> X free();

        abstract <X> List<X> listOfFree();

        abstract CompletableFuture<?> futureOfAnything();

        @SuppressWarnings("rawtypes") // Such declarations exist.
        abstract CompletableFuture rawFuture();
    }

    interface Shape {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
    interface Named {}

    record Box<T>(T content) {}

    abstract static class OfLongs extends Declared<Long> {}

    private static @Nullable String typeOf(String method) {
        Type type = ValueTypes.of(
                Arrays.stream(Declared.class.getDeclaredMethods())
                        .filter(each -> each.getName().equals(method))
                        .findFirst()
                        .orElseThrow(),
                OfLongs.class);
        return type == null ? null : type.getTypeName();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "simple | java.lang.String",
                "primitive | java.lang.Integer",
                "array | byte[]",
                "list | java.util.List<java.lang.String>",
                "nested | java.util.Map<java.lang.String, java.util.Set<java.lang.Integer>>",
                "variable | java.lang.Long",
                "listOfVariable | java.util.List<java.lang.Long>",
                "optional | java.util.List<java.lang.String>",
                "future | java.util.List<java.lang.String>",
                "stage | java.lang.String",
                "mono | java.util.Map<java.lang.String, java.lang.Long>",
                "bounded | java.util.List<? extends java.lang.String>",
                "constant | java.util.concurrent.TimeUnit",
                "named | io.memshard.spring.cache.ValueTypesTest$Named",
                "box | io.memshard.spring.cache.ValueTypesTest$Box<java.lang.Integer>",
                "iterable | java.util.List<java.lang.String>",
                "monoOfIterable | java.util.List<java.lang.String>",
                "optionalOfIterable | java.util.List<java.lang.String>",
                "iterableOfVariable | java.util.List<java.lang.Long>",
                "flux | java.util.List<java.util.List<java.lang.String>>"
            })
    void typeMatchesTheStoredValue(String method, String type) {
        assertThat(typeOf(method)).isEqualTo(type);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "number",
                "characters",
                "mapOfAnything",
                "shapes",
                "shape",
                "stream",
                "iterableOfUnknown",
                "iterator",
                "nothing",
                "rawList",
                "anything",
                "unknownElements",
                "free",
                "listOfFree",
                "futureOfAnything",
                "rawFuture"
            })
    void otherDeclarationsSayNoType(String method) {
        assertThat(typeOf(method)).isNull();
    }
}
