// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.attacks;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Public method of a client whose first argument is a key, keys, or values by key. A test obtains all such methods with
 * {@link #of}, so that no method is missed, and calls them with keys such as {@link BadKeys}.
 *
 * <p>{@code Threading}: immutable.
 */
final class KeyedCall {

    /** Key that an operation on many keys gets in addition to the key of the call. */
    static final String OTHER_KEY = "other";

    private final Method method;
    private final List<Object> arguments;

    private KeyedCall(Method method, List<Object> arguments) {
        this.method = method;
        this.arguments = arguments;
    }

    /**
     * Returns the operations of {@code api} that take keys, in the order of their names. Methods named {@code with...}
     * create views, and are not returned.
     *
     * @param api an interface or a public class
     * @param arguments candidates for the arguments after the key. Each parameter gets the first candidate of its type.
     *     The first candidate is also the value under each key
     */
    static List<KeyedCall> of(Class<?> api, Object... arguments) {
        return Arrays.stream(api.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()) && !method.isSynthetic())
                .filter(method -> method.getParameterCount() > 0 && takesKeys(method.getParameterTypes()[0]))
                .filter(method -> !method.getName().startsWith("with"))
                .map(method -> new KeyedCall(method, List.of(arguments)))
                .sorted(Comparator.comparing(KeyedCall::toString))
                .collect(Collectors.toList());
    }

    private static boolean takesKeys(Class<?> type) {
        return type == String.class || type == Collection.class || type == Map.class;
    }

    /** Returns whether the method takes many keys. */
    boolean takesManyKeys() {
        return method.getParameterTypes()[0] != String.class;
    }

    /**
     * Calls the method; an operation on many keys gets this key and {@link #OTHER_KEY}.
     *
     * @return the result of the method
     */
    @Nullable
    Object call(Object client, String key) {
        Class<?>[] types = method.getParameterTypes();
        Object[] values = new Object[types.length];
        values[0] = first(types[0], key);
        for (int i = 1; i < values.length; i++) {
            values[i] = argument(types[i]);
        }
        try {
            return method.invoke(client, values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException) {
                throw (RuntimeException) e.getCause();
            }
            throw new AssertionError(this + " failed", e.getCause());
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private Object first(Class<?> type, String key) {
        if (type == String.class) {
            return key;
        }
        return type == Collection.class
                ? List.of(OTHER_KEY, key)
                : Map.of(OTHER_KEY, arguments.get(0), key, arguments.get(0));
    }

    private Object argument(Class<?> type) {
        return arguments.stream()
                .filter(candidate -> type.isInstance(candidate)
                        || (type == long.class && candidate instanceof Long)
                        || (type == int.class && candidate instanceof Integer))
                .findFirst()
                // An error, because an exception would look like the method's own.
                .orElseThrow(() -> new AssertionError("no argument given for " + type + " of " + this));
    }

    /** Returns the method with the names of its parameters' types. */
    @Override
    public String toString() {
        return Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(
                        ", ", method.getDeclaringClass().getSimpleName() + '.' + method.getName() + '(', ")"));
    }
}
