// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.function.Function;

/**
 * One column of a file: its name, and what stands in it.
 *
 * <p>Threading: immutable.
 *
 * @param name of the column
 * @param value of a record, which is written as a word, or as a number without an exponent; nothing for NaN
 */
public record CsvField<T>(String name, Function<T, Object> value) {

    /** What is written for {@code record}. */
    String of(T record) {
        Object content = value.apply(record);
        if (content instanceof Double number && number.isNaN()) {
            return "";
        }
        if (content instanceof Double number) {
            return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
        }
        return content instanceof Enum<?> constant ? constant.name().toLowerCase(Locale.ROOT) : content.toString();
    }
}
