// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.CharBuffer;
import java.time.Instant;
import java.util.Calendar;
import java.util.Collection;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.interceptor.SimpleKey;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.util.ClassUtils;
import org.springframework.util.ObjectUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Converter of a cache's keys to text. Strings and texts from the application's converters stay unchanged. Enums, and
 * most classes of the JDK, become their {@code toString}. A {@link SimpleKey} becomes {@code (a,b)}, and a list or an
 * array {@code [a,b]}. A set becomes {@code {a,b}}, and a map {@code {k=v}}; their elements are sorted. Records and
 * Kotlin's data classes become {@code (class=a,b)}. Other objects become {@code (class=text)} with their {@code
 * toString}.
 *
 * <p>Within these forms, a backslash precedes each special character. A string that would look like one of these forms
 * also begins with a backslash. So two different keys of these kinds never have the same text.
 */
record CacheKeys(ConversionService conversions) {

    private static final TypeDescriptor TEXT = TypeDescriptor.valueOf(String.class);
    private static final String SPECIAL = "\\,()[]{}=";
    private static final String NULL = "\\0";
    private static final String EMPTY = "\\e";

    /** Pattern of a result of {@code Object.toString}, such as {@code Point@1b2c3d} or {@code [B@1b2c3d}. */
    private static final Pattern IDENTITY =
            Pattern.compile("(\\[[BCDFIJSZ]|[A-Z][\\w$]*[;,]?(/0x[0-9a-f]+)?)@[0-9a-f]{1,8}(?![\\w.])");

    /** Name of a {@code componentN} method of a Kotlin data class. Some properties add a suffix. */
    private static final Pattern COMPONENT = Pattern.compile("component(\\d+)([$-].*)?");

    private static final @Nullable Field PARAMETERS = parameters();

    static @Nullable Field parameters() {
        Field field = ReflectionUtils.findField(SimpleKey.class, "params", Object[].class);
        if (field != null) {
            ReflectionUtils.makeAccessible(field);
        }
        return field;
    }

    String text(@Nullable Object key) {
        if (key == null) {
            throw new IllegalArgumentException("the cache key is null: use a key that is not null");
        }
        return text(key, text -> {
            boolean looksComposite = !text.isEmpty() && "\\([{".indexOf(text.charAt(0)) >= 0;
            return looksComposite ? "\\" + escaped(text) : text;
        });
    }

    private String part(@Nullable Object part) {
        return part == null ? NULL : text(part, CacheKeys::escaped);
    }

    /** Returns the text of {@code key}. Calls {@code escaping} for a text that gets no brackets around it. */
    private String text(Object key, UnaryOperator<String> escaping) {
        if (key instanceof CharSequence characters) {
            return escaping.apply(CharBuffer.wrap(characters).toString());
        }
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
            return map.isEmpty() ? "{=}" : joined("{", entries, "}");
        }
        if (key instanceof Collection<?> list) {
            return joined("[", list.stream().map(this::part), "]");
        }
        if (key.getClass().isArray()) {
            return joined("[", Stream.of(ObjectUtils.toObjectArray(key)).map(this::part), "]");
        }
        if (key instanceof Optional<?> optional) {
            return named(Optional.class, Stream.of(part(optional.orElse(null))));
        }
        String converted = converted(key);
        if (converted != null) {
            return escaping.apply(converted);
        }
        List<Method> components = components(key.getClass());
        if (!components.isEmpty() || key instanceof Record) {
            return named(
                    key.getClass(),
                    components.stream().map(component -> part(ReflectionUtils.invokeMethod(component, key))));
        }
        String text = ownText(key);
        boolean isOfJdk = key.getClass().getName().startsWith("java.");
        return isOfJdk || key instanceof Enum
                ? escaping.apply(text)
                : named(ClassUtils.getUserClass(key), Stream.of(escaped(text)));
    }

    private static String named(Class<?> type, Stream<String> parts) {
        return joined("(" + type.getName() + '=', parts, ")");
    }

    private static String joined(String open, Stream<String> parts, String close) {
        return parts.collect(Collectors.joining(",", open, close));
    }

    /** Returns a converter's text, or null if the text equals {@code toString}, which Spring's fallback calls. */
    private @Nullable String converted(Object key) {
        TypeDescriptor type = TypeDescriptor.forObject(key);
        if (type == null || !conversions.canConvert(type, TEXT)) {
            return null;
        }
        Object text = Objects.requireNonNull(
                conversions.convert(key, type, TEXT), "the conversion of a cache key to String returned null");
        return text.equals(key.toString()) ? null : (String) text;
    }

    private static List<Method> components(Class<?> type) {
        List<Method> components = List.of();
        if (type.isRecord()) {
            components = Stream.of(type.getRecordComponents())
                    .map(RecordComponent::getAccessor)
                    .toList();
        } else if (Stream.of(type.getDeclaredMethods())
                .anyMatch(each -> each.getName().equals("copy$default"))) {
            components = Stream.of(type.getDeclaredMethods())
                    .filter(each -> COMPONENT.matcher(each.getName()).matches() && each.getParameterCount() == 0)
                    .sorted(Comparator.comparing(CacheKeys::position))
                    .toList();
        }
        components.forEach(ReflectionUtils::makeAccessible);
        return components;
    }

    private static int position(Method component) {
        return Integer.parseInt(COMPONENT.matcher(component.getName()).replaceFirst("$1"));
    }

    private static String ownText(Object key) {
        if (key instanceof Enum<?> constant) {
            return constant.name();
        }
        if (key instanceof Date date) {
            return instant(date).toString(); // Date.toString drops the milliseconds.
        }
        if (key instanceof Calendar calendar) {
            return calendar.toInstant() + "/" + calendar.getTimeZone().getID();
        }
        String text = key.toString();
        Method toString = ReflectionUtils.findMethod(key.getClass(), "toString");
        boolean isOfObject = toString == null || toString.getDeclaringClass() == Object.class;
        if (key instanceof SimpleKey
                || key instanceof Throwable
                || isOfObject
                || IDENTITY.matcher(text).find()) {
            throw new IllegalStateException("cannot make a key from a "
                    + key.getClass().getName() + ", because its toString() hides its contents: override toString, or"
                    + " pass a conversion service to withConversionService");
        }
        return text;
    }

    @SuppressWarnings("JavaUtilDate") // An application may have such keys.
    private static Instant instant(Date date) {
        try {
            return date.toInstant();
        } catch (UnsupportedOperationException e) { // java.sql.Date and Time
            return Instant.ofEpochMilli(date.getTime());
        }
    }

    private static String escaped(String text) {
        if (text.isEmpty()) {
            return EMPTY; // A list of one empty string must differ from an empty list.
        }
        StringBuilder escaped = new StringBuilder(text.length() + 2);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (SPECIAL.indexOf(c) >= 0) {
                escaped.append('\\');
            }
            escaped.append(c);
        }
        return escaped.toString();
    }
}
