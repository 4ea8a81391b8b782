// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.transcoder.JavaSerialization;
import java.lang.reflect.Field;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeHint;
import org.springframework.aot.hint.TypeReference;
import org.springframework.util.ClassUtils;

/** Runtime hints for a native image. Spring finds this class in {@code aot.factories}. */
final class CacheHints implements RuntimeHintsRegistrar {

    /** Classes of {@code java.time}. {@link JavaSerialization#jdkData} has only a wildcard for these classes. */
    private static final List<String> TIMES = List.of(
            "java.time.DayOfWeek",
            "java.time.Duration",
            "java.time.Instant",
            "java.time.LocalDate",
            "java.time.LocalDateTime",
            "java.time.LocalTime",
            "java.time.Month",
            "java.time.MonthDay",
            "java.time.OffsetDateTime",
            "java.time.OffsetTime",
            "java.time.Period",
            "java.time.Ser",
            "java.time.Year",
            "java.time.YearMonth",
            "java.time.ZoneOffset",
            "java.time.ZoneRegion",
            "java.time.ZonedDateTime");

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        Field parameters = CacheKeys.parameters();
        if (parameters != null) {
            hints.reflection().registerField(parameters);
        }
        if (ClassUtils.hasMethod(TypeHint.Builder.class, "withJavaSerialization", boolean.class)) {
            serializedTypes()
                    .map(TypeReference::of)
                    .forEach(type -> hints.reflection().registerType(type, hint -> hint.withJavaSerialization(true)));
        }
    }

    static Stream<String> serializedTypes() {
        return Stream.concat(
                TIMES.stream(), JavaSerialization.jdkData().stream().filter(name -> !name.endsWith("*")));
    }
}
