// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import java.beans.Expression;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reflective calls, because experiments use several versions of a library. */
final class Bean {

    private static final Object NOTHING = "nothing";

    private Bean() {}

    static Object make(String className, @Nullable Object... arguments) throws Exception {
        return call(Class.forName(className), "new", arguments);
    }

    static void set(Object bean, String property, Object value) throws Exception {
        call(bean, "set" + property.substring(0, 1).toUpperCase(Locale.ROOT) + property.substring(1), value);
    }

    static Object call(Object target, String name, @Nullable Object... arguments) throws Exception {
        return Objects.requireNonNullElse(new Expression(target, name, arguments).getValue(), NOTHING);
    }
}
