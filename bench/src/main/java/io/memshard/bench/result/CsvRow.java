// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** Row of {@code file}, with a value for each name of a column. */
public record CsvRow(Path file, Map<String, String> values) {

    public String text(String name) {
        String value = values.get(name);
        if (value == null) {
            throw unreadable("there is no \"" + name + "\"");
        }
        return value;
    }

    public List<String> words(String name) {
        return text(name).isEmpty() ? List.of() : List.of(text(name).split(" ", -1));
    }

    public double decimalOrNaN(String name) {
        return values.getOrDefault(name, "").isEmpty() ? Double.NaN : of(name, Double::valueOf);
    }

    public <E extends Enum<E>> E constant(String name, Class<E> type) {
        return of(name, text -> Enum.valueOf(type, text.toUpperCase(Locale.ROOT)));
    }

    public <T> T of(String name, Function<String, T> parser) {
        try {
            return parser.apply(text(name));
        } catch (IllegalArgumentException e) {
            throw unreadable("\"" + text(name) + "\" is not a value of \"" + name + "\"");
        }
    }

    private UncheckedIOException unreadable(String reason) {
        return TextFile.failure("read", file, new IOException(reason));
    }
}
