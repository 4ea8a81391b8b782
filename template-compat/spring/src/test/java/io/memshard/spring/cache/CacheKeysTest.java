// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.FieldHint;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.cache.interceptor.SimpleKey;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.core.io.support.SpringFactoriesLoader;

class CacheKeysTest {

    private static final CacheKeys KEYS = new CacheKeys(DefaultConversionService.getSharedInstance());

    private record Point(int x, int y) {}

    @Test
    void stringsNumbersAndEnumsAreTheirText() {
        UUID id = UUID.randomUUID();

        assertThat(KEYS.text("a, b=c")).isEqualTo("a, b=c");
        assertThat(KEYS.text("")).isEmpty();
        assertThat(KEYS.text(42L)).isEqualTo("42");
        assertThat(KEYS.text('x')).isEqualTo("x");
        assertThat(KEYS.text(DayOfWeek.MONDAY)).isEqualTo("MONDAY");
        assertThat(KEYS.text(id)).isEqualTo(id.toString());
        assertThat(KEYS.text(LocalDate.of(1926, 11, 22))).isEqualTo("1926-11-22");
        assertThat(KEYS.text(new Point(1, 2))).isEqualTo("Point[x=1, y=2]");
    }

    @Test
    void aDateKeepsItsMilliseconds() {
        Date date = Date.from(Instant.parse("2026-11-22T10:00:00.123Z"));

        assertThat(KEYS.text(date)).isEqualTo("2026-11-22T10:00:00.123Z");
    }

    @Test
    void severalParametersAreReadable() {
        assertThat(KEYS.text(new SimpleKey("user", 42))).isEqualTo("(user,42)");
        assertThat(KEYS.text(SimpleKey.EMPTY)).isEqualTo("()");
        assertThat(KEYS.text(List.of(1, 2))).isEqualTo("[1,2]");
        assertThat(KEYS.text(new int[] {1, 2})).isEqualTo("[1,2]");
        assertThat(KEYS.text(Map.of("b", 2, "a", 1))).isEqualTo("{a=1,b=2}");
    }

    @Test
    void theOrderOfASetDoesNotMatter() {
        Set<String> one = new LinkedHashSet<>(List.of("b", "a"));
        Set<String> other = new LinkedHashSet<>(List.of("a", "b"));

        assertThat(KEYS.text(one)).isEqualTo(KEYS.text(other)).isEqualTo("{a,b}");
    }

    @Test
    void differentKeysHaveDifferentTexts() {
        List<Object> withNull = new ArrayList<>();
        withNull.add(null);
        List<Object> keys = List.of(
                new SimpleKey("a,b", "c"),
                new SimpleKey("a", "b,c"),
                new SimpleKey("a", "b", "c"),
                new SimpleKey("a\\", "b"),
                new SimpleKey("a\\,b", "c"),
                new SimpleKey((Object) null),
                new SimpleKey("null"),
                new SimpleKey("\\0"),
                new SimpleKey("", ""),
                new SimpleKey(","),
                SimpleKey.EMPTY,
                new SimpleKey(List.of("a", "b"), "c"),
                new SimpleKey("[a,b]", "c"),
                List.of("a", "b", "c"),
                List.of("a,b", "c"),
                List.of(List.of("a", "b"), "c"),
                List.of("[a,b]", "c"),
                withNull,
                Set.of("a", "b"),
                Set.of("a,b"),
                Set.of("a=b"),
                Map.of("a", "b"),
                Map.of("a=b", ""),
                "(a,b,c)",
                "[a,b,c]",
                "{a,b}",
                "\\(a,b,c)",
                "\\",
                "\ud800",
                "\ud801",
                "?",
                "\\ud800",
                "\\\\ud800");

        assertThat(keys.stream().map(KEYS::text)).doesNotHaveDuplicates();
        assertThat(keys.stream().map(KEYS::text))
                .allSatisfy(text ->
                        assertThat(new String(text.getBytes(UTF_8), UTF_8)).isEqualTo(text));
    }

    @Test
    void aConverterOfTheApplicationIsUsed() {
        DefaultConversionService conversions = new DefaultConversionService();
        conversions.addConverter(Point.class, String.class, point -> point.x() + "/" + point.y());

        assertThat(new CacheKeys(conversions).text(new Point(1, 2))).isEqualTo("1/2");
        assertThat(new CacheKeys(conversions).text(new SimpleKey(new Point(1, 2), 3)))
                .isEqualTo("(1/2,3)");
    }

    @Test
    void aNativeImageMayReadParameters() {
        RuntimeHints hints = new RuntimeHints();
        SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
                .load(RuntimeHintsRegistrar.class)
                .forEach(registrar -> registrar.registerHints(hints, getClass().getClassLoader()));

        assertThat(hints.reflection().getTypeHint(SimpleKey.class).fields())
                .extracting(FieldHint::getName)
                .containsExactly("params");
    }

    @Test
    void keyWithoutTextIsRefused() {
        assertThatIllegalStateException()
                .isThrownBy(() -> KEYS.text(new Object()))
                .withMessageContainingAll("java.lang.Object", "override its toString", "withConversionService");
        assertThatIllegalArgumentException().isThrownBy(() -> KEYS.text(null)).withMessageContaining("the key is null");
    }
}
