// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ObjectUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Comparison of a value with its decoded copy. Objects of the JDK's classes are compared by {@code equals}. Other
 * objects are compared by their non-transient fields, because the {@code equals} of an entity may ignore some fields.
 */
final class Difference {

    private final Set<Object> compared = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Returns the difference, such as {@code its [0].secret is lost or changes}; null if the contents are the same. */
    static @Nullable String between(Object value, @Nullable Object read) {
        String path = new Difference().at("", value, read);
        return path == null ? null : (path.isEmpty() ? "it" : "its " + path) + " is lost or changes";
    }

    private @Nullable String at(String path, @Nullable Object value, @Nullable Object read) {
        if (value == read) {
            return null;
        }
        if (value == null || read == null) {
            return path;
        }
        if (!compared.add(value)) {
            return null;
        }
        if (value instanceof Optional<?> optional && read instanceof Optional<?> other) {
            return at(path, optional.orElse(null), other.orElse(null));
        }
        if (value instanceof Map<?, ?> map && read instanceof Map<?, ?> other) {
            return inMap(path, map, other);
        }
        if (value instanceof Set<?> set && read instanceof Set<?> other) {
            boolean isSame = set.size() == other.size()
                    && (set.equals(other) || set.stream().allMatch(each -> isIn(each, other)));
            return isSame ? null : path;
        }
        if (value instanceof Iterable<?> iterable && read instanceof Collection<?> other) {
            return inOrder(path, iterable.iterator(), other.iterator());
        }
        if (value.getClass() != read.getClass()) {
            return path;
        }
        if (value.getClass().isArray()) {
            return inOrder(path, elements(value), elements(read));
        }
        boolean isOfJdk = value.getClass().getClassLoader() == null
                || value.getClass().getName().startsWith("java.");
        return isOfJdk ? isSame(value, read) ? null : path : inFields(path, value, read);
    }

    private @Nullable String inMap(String path, Map<?, ?> map, Map<?, ?> read) {
        if (!map.keySet().equals(read.keySet())) {
            return path;
        }
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            String difference = at(path + "[]", entry.getValue(), read.get(entry.getKey()));
            if (difference != null) {
                return difference;
            }
        }
        return null;
    }

    private static boolean isIn(@Nullable Object element, Set<?> set) {
        return set.stream().anyMatch(each -> new Difference().at("", element, each) == null);
    }

    private static Iterator<?> elements(Object array) {
        return Arrays.asList(ObjectUtils.toObjectArray(array)).iterator();
    }

    private @Nullable String inOrder(String path, Iterator<?> elements, Iterator<?> read) {
        for (int i = 0; elements.hasNext() && read.hasNext(); i++) {
            String difference = at(path + '[' + i + ']', elements.next(), read.next());
            if (difference != null) {
                return difference;
            }
        }
        return elements.hasNext() == read.hasNext() ? null : path;
    }

    private @Nullable String inFields(String path, Object value, Object read) {
        boolean hasFields = false;
        for (Class<?> type = value.getClass(); type != Object.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                boolean isContent = !field.isSynthetic()
                        && !field.getName().endsWith("$delegate") // lazy in Kotlin
                        && (field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0;
                if (isContent && field.trySetAccessible()) {
                    hasFields = true;
                    String difference = at(
                            path.isEmpty() ? field.getName() : path + '.' + field.getName(),
                            ReflectionUtils.getField(field, value),
                            ReflectionUtils.getField(field, read));
                    if (difference != null) {
                        return difference;
                    }
                }
            }
        }
        // An object without fields equals only itself, unless its class overrides equals.
        return hasFields || isSame(value, read) ? null : path;
    }

    private static boolean isSame(Object value, Object read) {
        Method equals = ReflectionUtils.findMethod(value.getClass(), "equals", Object.class);
        boolean hasEquals = equals != null && equals.getDeclaringClass() != Object.class;
        return value.equals(read) || (!hasEquals && value.toString().equals(read.toString()));
    }
}
