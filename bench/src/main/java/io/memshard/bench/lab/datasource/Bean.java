// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import java.beans.Expression;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Calls by reflection of libraries that this module is not compiled against, because forks have different versions of
 * them. They only open and close pools: the measured calls use interfaces of the JDK. Threading: stateless.
 */
final class Bean {

    /** Result of a method that returns null or nothing. */
    private static final Object NOTHING = "nothing";

    private Bean() {}

    /** Returns a new object of that class, by a constructor that takes {@code arguments}; null fits any reference. */
    static Object make(String className, @Nullable Object... arguments) throws Exception {
        return call(Class.forName(className), "new", arguments);
    }

    static void set(Object bean, String property, Object value) throws Exception {
        call(bean, "set" + property.substring(0, 1).toUpperCase(Locale.ROOT) + property.substring(1), value);
    }

    /**
     * Calls the public method of {@code target} with this name that accepts {@code arguments}; null fits any reference.
     * If the target is a class, the method is static.
     */
    static Object call(Object target, String name, @Nullable Object... arguments) throws Exception {
        return Objects.requireNonNullElse(new Expression(target, name, arguments).getValue(), NOTHING);
    }
}
