// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.ByteBuffer;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.cache.interceptor.SimpleKey;
import org.springframework.core.convert.support.DefaultConversionService;

class CacheKeysTest {

    private static final CacheKeys KEYS = new CacheKeys(DefaultConversionService.getSharedInstance());

    private record Point(int x, int y) {}

    static Stream<Arguments> contents() {
        String type = CacheKeysTest.class.getName() + "$";
        Date date = Date.from(Instant.parse("2026-11-22T10:00:00.123Z"));
        Calendar calendar = Calendar.getInstance(TimeZone.getTimeZone("Asia/Tokyo"));
        calendar.setTime(date);
        UUID id = UUID.randomUUID();
        return Stream.of(
                arguments("a, b=c", "a, b=c"),
                arguments("", ""),
                arguments(42L, "42"),
                arguments('x', "x"),
                arguments(DayOfWeek.MONDAY, "MONDAY"),
                arguments(id, id.toString()),
                arguments(LocalDate.of(1926, 11, 22), "1926-11-22"),
                arguments(new SimpleKey("user", 42), "(user,42)"),
                arguments(SimpleKey.EMPTY, "()"),
                arguments(List.of(1, 2), "[1,2]"),
                arguments(new int[] {1, 2}, "[1,2]"),
                arguments(Map.of("b", 2, "a", 1), "{a=1,b=2}"),
                arguments(new LinkedHashSet<>(List.of("b", "a")), "{a,b}"),
                arguments(new Point(1, 2), "(" + type + "Point=1,2)"),
                arguments(new Holder(new byte[] {1, 2}), "(" + type + "Holder=[1,2])"),
                arguments(new Holder(new int[][] {{1}, {2}}), "(" + type + "Holder=[[1],[2]])"),
                arguments(new Holder(List.of(new Point(1, 2))), "(" + type + "Holder=[(" + type + "Point=1,2)])"),
                arguments(new Holder(null), "(" + type + "Holder=\\0)"),
                arguments(new Nothing(), "(" + type + "Nothing=)"),
                arguments(Optional.of(new byte[] {1}), "(java.util.Optional=[1])"),
                arguments(new SimpleKey(new Object[] {new byte[] {1}, null}), "([1],\\0)"),
                arguments(Map.of("k", new char[] {'a'}), "{k=[a]}"),
                arguments(new Name("a=b"), "(" + type + "Name=a\\=b)"),
                arguments(new Both("a", 2), "(" + type + "Both=a,2)"),
                arguments(new StringBuilder("text"), "text"),
                arguments(date, "2026-11-22T10:00:00.123Z"),
                arguments(new java.sql.Timestamp(date.getTime()), "2026-11-22T10:00:00.123Z"),
                arguments(new java.sql.Date(date.getTime()), "2026-11-22T10:00:00.123Z"),
                arguments(calendar, "2026-11-22T10:00:00.123Z/Asia/Tokyo"),
                arguments(ByteBuffer.wrap(new byte[] {1, 2}), "1,2"));
    }

    @ParameterizedTest
    @MethodSource("contents")
    void theTextHasTheContents(Object key, String text) {
        assertThat(KEYS.text(key)).isEqualTo(text);
    }

    private record Holder(Object content) {}

    private record Nothing() {}

    private record Pair(String x, String y) {}

    private record Couple(String x, String y) {}

    private record Name(String name) {

        /** Has a text of its own. */
        static final class Text {

            private final String text;

            Text(String text) {
                this.text = text;
            }

            @Override
            public String toString() {
                return text;
            }
        }
    }

    /** Has the methods of a data class of Kotlin, one of them with the suffix of an internal property. */
    private static final class Both {

        private final String a;
        private final int b;

        Both(String a, int b) {
            this.a = a;
            this.b = b;
        }

        public String component1() {
            return a;
        }

        public int component2$main() {
            return b;
        }

        @SuppressWarnings("unused") // Kotlin compiles such a method.
        static Both copy$default(Both from, String a, int b, int mask, Object marker) {
            return from;
        }
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
                new SimpleKey(""),
                List.of(),
                List.of(""),
                Set.of(),
                Set.of(""),
                Map.of(),
                Map.of("", ""),
                Optional.empty(),
                Optional.of(""),
                Optional.of("null"),
                new Pair("a, y=b", "c"),
                new Pair("a", "b, y=c"),
                new Pair("a,b", "c"),
                new Pair("a", "b,c"),
                new Pair(null, "c"),
                new Pair("null", "c"),
                new Couple("a", "b,c"),
                new Holder(new Pair("a", "b,c")),
                new Holder(List.of("a", "b")),
                new Holder("[a,b]"),
                new Holder(1),
                "(" + Holder.class.getName() + "=1)",
                new Name("1"),
                new Name.Text("1"),
                1,
                new Both("a,b", 2),
                new Both("a", 2),
                new java.sql.Date(1),
                new java.sql.Date(2),
                new java.sql.Time(3),
                Map.entry("a", "b"),
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
                "\\");

        assertThat(keys.stream().map(KEYS::text)).doesNotHaveDuplicates();
    }

    @Test
    void aConverterOfTheApplicationIsUsed() {
        DefaultConversionService conversions = new DefaultConversionService();
        conversions.addConverter(Point.class, String.class, point -> point.x() + "/" + point.y());

        assertThat(new CacheKeys(conversions).text(new Point(1, 2))).isEqualTo("1/2");
        assertThat(new CacheKeys(conversions).text(new SimpleKey(new Point(1, 2), 3)))
                .isEqualTo("(1/2,3)");
    }

    /** Is made of a string, and tells instances apart by it, and has no text. */
    private static class UserId {

        final String id;

        public UserId(String id) {
            this.id = id;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof UserId user && user.id.equals(id);
        }

        @Override
        public int hashCode() {
            return id.hashCode();
        }
    }

    private static final class OrderId extends UserId {

        OrderId(String id) {
            super(id);
        }

        @SuppressWarnings("unused") // Spring looks for it.
        static OrderId valueOf(String id) {
            return new OrderId(id);
        }

        @Override
        @SuppressWarnings("RedundantMethodOverride") // So is the text of some classes.
        public String toString() {
            return super.toString();
        }
    }

    /** Has the text that a generator of code makes of an array. */
    private static final class Bytes {

        private final byte[] content = {1};

        @Override
        public String toString() {
            return "Bytes(content=" + content + ")";
        }
    }

    static Stream<Object> withoutContents() {
        Supplier<String> lambda = () -> "text";
        return Stream.of(
                new Object(),
                new UserId("Aa"),
                new OrderId("Aa"),
                new Bytes(),
                lambda,
                new AtomicReference<>(new UserId("Aa")),
                new IllegalStateException("text"),
                new ArrayList<>(List.of(1)).iterator(),
                CompletableFuture.completedFuture("text"),
                new Holder(new UserId("Aa")),
                new SimpleKey("a", new UserId("Aa")),
                List.of(Map.of("k", new UserId("Aa"))),
                new Object[] {Optional.of(new OrderId("Aa"))});
    }

    @ParameterizedTest
    @MethodSource("withoutContents")
    void keyWithoutContentsIsRefused(Object key) {
        assertThatIllegalStateException()
                .isThrownBy(() -> KEYS.text(key))
                .withMessageContainingAll("cannot make a key from a", "override toString", "withConversionService");
    }

    @Test
    void textThatOnlyResemblesAnIdentityIsAllowed() {
        assertThat(KEYS.text(new Name.Text("ann@bad.example"))).endsWith("Text=ann@bad.example)");
        assertThat(KEYS.text("com.example.Point@1b2c")).isEqualTo("com.example.Point@1b2c");
        assertThat(KEYS.text(new Name("Point@1b2c"))).endsWith("Name=Point@1b2c)");
    }

    @Test
    void noKeyIsNull() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KEYS.text(null))
                .withMessageContaining("the cache key is null");
    }
}
