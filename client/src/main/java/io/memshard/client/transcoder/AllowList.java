package io.memshard.client.transcoder;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Names of classes and packages.
 *
 * <p>Threading: immutable.
 */
final class AllowList {

    private static final String PACKAGE = ".*";
    private static final String PACKAGES = ".**";
    private static final Pattern NAME = Pattern.compile(
            "\\p{javaJavaIdentifierStart}\\p{javaJavaIdentifierPart}*(\\.\\p{javaJavaIdentifierPart}+)*(\\.\\*{1,2})?");

    /**
     * What a stream of allowed classes cannot do without, and no stream can make an instance of: the
     * superclasses of numbers and enums, and the element types of the tables within collections.
     */
    private static final Set<String> BENEATH =
            Set.of(Object.class.getName(), Number.class.getName(), Enum.class.getName(), Map.Entry.class.getName());

    private final Set<String> names = new HashSet<>(BENEATH);
    private final Set<String> packages = new HashSet<>();
    private final Set<String> prefixes = new HashSet<>();

    AllowList(List<String> patterns) {
        if (patterns.isEmpty()) {
            throw new IllegalArgumentException("nothing is allowed: name classes, as in \"com.example.Order\"");
        }
        for (String pattern : patterns) {
            add(Objects.requireNonNull(pattern, "a name is null"));
        }
    }

    private void add(String pattern) {
        if (!NAME.matcher(pattern).matches()) {
            throw new IllegalArgumentException("\"" + pattern + "\" names no class and no package: write"
                    + " \"com.example.Order\", \"com.example.*\" or, with the packages below, \"com.example.**\"");
        }
        if (pattern.endsWith(PACKAGES)) {
            prefixes.add(pattern.substring(0, pattern.length() - PACKAGES.length() + 1));
        } else if (pattern.endsWith(PACKAGE)) {
            packages.add(pattern.substring(0, pattern.length() - PACKAGE.length()));
        } else {
            names.add(pattern);
        }
    }

    /** Whether the class, or what the array is made of, is a primitive or was named. */
    boolean allows(Class<?> type) {
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        String name = element.getName();
        return element.isPrimitive()
                || names.contains(name)
                || packages.contains(element.getPackageName())
                || prefixes.stream().anyMatch(name::startsWith);
    }
}
