// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.variant;

import java.beans.Expression;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Object of a library that this class is not compiled against. Forks may have different versions of the library. Used
 * for opening and closing only: the measured calls use interfaces of the JDK.
 *
 * <p>Threading: confined to one thread.
 */
public final class Bean {

    /** Result of a method that returns null or nothing. */
    private static final Object NOTHING = "nothing";

    private final Object object;

    private Bean(Object object) {
        this.object = object;
    }

    /** Returns a new object of that class, by its constructor without parameters. */
    public static Bean of(String className) throws Exception {
        return new Bean(construct(className));
    }

    /** Returns a new object of that class, by a constructor that takes {@code arguments}; null fits any reference. */
    public static Object construct(String className, @Nullable Object... arguments) throws Exception {
        return new Expression(Class.forName(className), "new", arguments).getValue();
    }

    /** Returns a bean for an existing object. */
    public static Bean around(Object object) {
        return new Bean(object);
    }

    /** Sets a property by its setter with one parameter that takes {@code value}. */
    public Bean set(String property, Object value) throws Exception {
        call("set" + property.substring(0, 1).toUpperCase(Locale.ROOT) + property.substring(1), value);
        return this;
    }

    /** Calls the public method with this name that accepts {@code arguments}; null fits any reference. */
    public Object call(String name, @Nullable Object... arguments) throws Exception {
        return Objects.requireNonNullElse(new Expression(object, name, arguments).getValue(), NOTHING);
    }

    /** Calls the public static method with this name that accepts {@code arguments}. */
    public static Object callStatic(String className, String name, Object... arguments) throws Exception {
        return Objects.requireNonNullElse(
                new Expression(Class.forName(className), name, arguments).getValue(), NOTHING);
    }

    /** Returns the object itself. */
    public <T> T as(Class<T> type) {
        return type.cast(object);
    }
}
