// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One row that was read, with its values by the names of their columns.
 *
 * <p>Threading: immutable. Failure: {@link UncheckedIOException} naming file, column and value.
 *
 * @param file that was read
 * @param values by name; names that are never asked for do no harm
 */
record CsvRow(Path file, Map<String, String> values) {

    String text(String name) {
        String value = values.get(name);
        if (value == null) {
            throw Csv.unreadable(file, "there is no \"" + name + "\"");
        }
        return value;
    }

    @Nullable
    String textOrNull(String name) {
        return text(name).isEmpty() ? null : text(name);
    }

    List<String> words(String name) {
        return text(name).isEmpty() ? List.of() : List.of(text(name).split(" ", -1));
    }

    int integer(String name) {
        return parsed(name, Integer::valueOf);
    }

    long number(String name) {
        return parsed(name, Long::valueOf);
    }

    double decimal(String name) {
        return parsed(name, Double::valueOf);
    }

    /** NaN where there is no such column, or nothing in it. */
    double decimalOrNaN(String name) {
        return values.getOrDefault(name, "").isEmpty() ? Double.NaN : decimal(name);
    }

    /** {@code otherwise} where there is no such column. */
    int integerOr(int otherwise, String name) {
        return values.containsKey(name) ? integer(name) : otherwise;
    }

    Instant instant(String name) {
        return parsed(name, Instant::parse);
    }

    <E extends Enum<E>> E constant(String name, Class<E> type) {
        return parsed(name, text -> Enum.valueOf(type, text.toUpperCase(Locale.ROOT)));
    }

    private <T> T parsed(String name, Function<String, T> parser) {
        try {
            return parser.apply(text(name));
        } catch (IllegalArgumentException | DateTimeException e) {
            throw Csv.unreadable(file, "\"" + text(name) + "\" is no value of \"" + name + "\"");
        }
    }
}
