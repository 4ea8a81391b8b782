// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.variant;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;
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
    public static Bean of(String className) throws ReflectiveOperationException {
        return new Bean(construct(className));
    }

    /** Returns a new object of that class, by a constructor that takes {@code arguments}; null fits any reference. */
    public static Object construct(String className, @Nullable Object... arguments)
            throws ReflectiveOperationException {
        for (Constructor<?> constructor : Class.forName(className).getConstructors()) {
            if (takes(constructor.getParameterTypes(), arguments)) {
                try {
                    return constructor.newInstance(arguments);
                } catch (InvocationTargetException e) {
                    throw new ReflectiveOperationException("cannot make a " + className, e.getCause());
                }
            }
        }
        throw new NoSuchMethodException("no constructor of " + className + " takes " + Arrays.toString(arguments));
    }

    /** Returns a bean for an existing object. */
    public static Bean around(Object object) {
        return new Bean(object);
    }

    /** Sets a property by its setter with one parameter that takes {@code value}. */
    public Bean set(String property, Object value) throws ReflectiveOperationException {
        call("set" + property.substring(0, 1).toUpperCase(Locale.ROOT) + property.substring(1), value);
        return this;
    }

    /** Calls the public method with this name that accepts {@code arguments}; null fits any reference. */
    public Object call(String name, @Nullable Object... arguments) throws ReflectiveOperationException {
        return call(object.getClass(), object, name, arguments);
    }

    /** Calls the public static method with this name that accepts {@code arguments}. */
    public static Object callStatic(String className, String name, Object... arguments)
            throws ReflectiveOperationException {
        return call(Class.forName(className), null, name, arguments);
    }

    /** Returns the object itself. */
    public <T> T as(Class<T> type) {
        return type.cast(object);
    }

    private static Object call(Class<?> type, @Nullable Object target, String name, @Nullable Object... arguments)
            throws ReflectiveOperationException {
        Method method = Arrays.stream(type.getMethods())
                .filter(each -> each.getName().equals(name) && takes(each.getParameterTypes(), arguments))
                .findFirst()
                .orElseThrow(() ->
                        new NoSuchMethodException(type.getName() + "." + name + " with " + Arrays.toString(arguments)));
        method.trySetAccessible();
        try {
            Object result = method.invoke(target, arguments);
            return result == null ? NOTHING : result;
        } catch (InvocationTargetException e) {
            throw new ReflectiveOperationException(type.getName() + "." + name + " failed", e.getCause());
        }
    }

    private static boolean takes(Class<?>[] parameters, @Nullable Object[] arguments) {
        return parameters.length == arguments.length
                && IntStream.range(0, parameters.length).allMatch(i -> takes(parameters[i], arguments[i]));
    }

    private static boolean takes(Class<?> parameter, @Nullable Object argument) {
        if (!parameter.isPrimitive()) {
            return argument == null || parameter.isInstance(argument);
        }
        if (parameter == boolean.class) {
            return argument instanceof Boolean;
        }
        boolean isInt = argument instanceof Integer;
        return parameter == long.class ? isInt || argument instanceof Long : parameter == int.class && isInt;
    }
}
