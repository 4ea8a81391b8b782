// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Date;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.interceptor.SimpleKey;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.util.ObjectUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Converter of a cache's keys to text, without the prefix.
 *
 * <p>A string is used unchanged; the conversion service converts a number or an enum. A {@link SimpleKey} becomes
 * {@code (a,b)}, a list or an array {@code [a,b]}, a set {@code {a,b}}, and a map {@code {k=v}}. The parts of sets and
 * maps are sorted. Within the parts, a backslash escapes each special character, so two different keys of these kinds
 * never have the same text. A string that begins with a backslash or an opening bracket is escaped, with a backslash in
 * front.
 *
 * <p>Threading: immutable.
 */
record CacheKeys(ConversionService conversions) {

    private static final TypeDescriptor TEXT = TypeDescriptor.valueOf(String.class);
    private static final String SPECIAL = "\\,()[]{}=";
    private static final String NULL = "\\0";

    /**
     * Field with the parameters of a {@link SimpleKey}, which has no accessor and whose {@code toString} is ambiguous.
     */
    private static final @Nullable Field PARAMETERS = parameters();

    /** Returns the field with the parameters of {@link SimpleKey}; null if this version of Spring has no such field. */
    static @Nullable Field parameters() {
        Field field = ReflectionUtils.findField(SimpleKey.class, "params", Object[].class);
        if (field != null) {
            ReflectionUtils.makeAccessible(field);
        }
        return field;
    }

    /**
     * Returns the text of {@code key}.
     *
     * @throws IllegalArgumentException if the key is null
     * @throws IllegalStateException if no conversion to text exists
     */
    String text(@Nullable Object key) {
        if (key == null) {
            throw new IllegalArgumentException("the key is null: use another key");
        }
        String composite = composite(key);
        if (composite != null) {
            return composite;
        }
        String text = scalar(key);
        boolean looksComposite = !text.isEmpty() && "\\([{".indexOf(text.charAt(0)) >= 0;
        return looksComposite || hasUnpairedSurrogate(text) ? "\\" + escaped(text) : text;
    }

    private String part(@Nullable Object part) {
        if (part == null) {
            return NULL;
        }
        String composite = composite(part);
        return composite != null ? composite : escaped(scalar(part));
    }

    private @Nullable String composite(Object key) {
        if (key instanceof SimpleKey && PARAMETERS != null) {
            Object[] parameters = (Object[]) ReflectionUtils.getField(PARAMETERS, key);
            return joined("(", Stream.of(Objects.requireNonNull(parameters)).map(this::part), ")");
        }
        if (key instanceof Set<?> set) {
            return joined("{", set.stream().map(this::part).sorted(), "}");
        }
        if (key instanceof Map<?, ?> map) {
            Stream<String> entries = map.entrySet().stream()
                    .map(entry -> part(entry.getKey()) + '=' + part(entry.getValue()))
                    .sorted();
            return joined("{", entries, "}");
        }
        if (key instanceof Collection<?> list) {
            return joined("[", list.stream().map(this::part), "]");
        }
        return key.getClass().isArray()
                ? joined("[", Stream.of(ObjectUtils.toObjectArray(key)).map(this::part), "]")
                : null;
    }

    private static String joined(String open, Stream<String> parts, String close) {
        return parts.collect(Collectors.joining(",", open, close));
    }

    private String scalar(Object key) {
        if (key instanceof CharSequence) {
            return key.toString();
        }
        if (key.getClass() == Date.class) {
            return ((Date) key).toInstant().toString(); // Date.toString drops the milliseconds.
        }
        TypeDescriptor type = TypeDescriptor.forObject(key);
        if (type != null && conversions.canConvert(type, TEXT)) {
            return (String) Objects.requireNonNull(conversions.convert(key, type, TEXT), "the key's text is null");
        }
        Method toString = ReflectionUtils.findMethod(key.getClass(), "toString");
        if (key instanceof SimpleKey || toString == null || toString.getDeclaringClass() == Object.class) {
            throw new IllegalStateException(
                    "cannot make a key from a " + key.getClass().getName()
                            + ": override its toString, or pass a service that converts it to withConversionService");
        }
        return key.toString();
    }

    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 2);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isUnpairedSurrogate(text, i)) {
                escaped.append("\\u").append(Integer.toHexString(c));
            } else if (SPECIAL.indexOf(c) >= 0) {
                escaped.append('\\').append(c);
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }

    private static boolean hasUnpairedSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (isUnpairedSurrogate(text, i)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the character at {@code i} is a surrogate without its other half, which UTF-8 cannot encode. */
    private static boolean isUnpairedSurrogate(String text, int i) {
        char c = text.charAt(i);
        if (Character.isHighSurrogate(c)) {
            return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
        }
        return Character.isLowSurrogate(c) && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
    }
}
