// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.serialization;

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
    private static final String PRIMITIVES = "BCDFIJSZ";
    private static final Pattern NAME = Pattern.compile(
            "\\p{javaJavaIdentifierStart}\\p{javaJavaIdentifierPart}*(\\.\\p{javaJavaIdentifierPart}+)*(\\.\\*{1,2})?");

    /**
     * Types that a stream of allowed classes needs, and of which no stream can make an instance. They are the
     * superclasses of numbers and enums, and the element types of the tables within collections.
     */
    private static final Set<String> ALWAYS_ALLOWED =
            Set.of(Object.class.getName(), Number.class.getName(), Enum.class.getName(), Map.Entry.class.getName());

    /** What stands for immutable collections in a stream. */
    private static final String COLLECTIONS = "java.util.CollSer";

    /** What it becomes on reading. None of these can be in a stream itself. */
    private static final Set<String> IMMUTABLE_COLLECTIONS = Set.of(
            "java.util.ImmutableCollections$List12",
            "java.util.ImmutableCollections$ListN",
            "java.util.ImmutableCollections$Map1",
            "java.util.ImmutableCollections$MapN",
            "java.util.ImmutableCollections$Set12",
            "java.util.ImmutableCollections$SetN");

    private final Set<String> names = new HashSet<>(ALWAYS_ALLOWED);
    private final Set<String> packages = new HashSet<>();
    private final Set<String> prefixes = new HashSet<>();

    AllowList(List<String> patterns) {
        if (patterns.isEmpty()) {
            throw new IllegalArgumentException("nothing is allowed: name classes, as in \"com.example.Order\"");
        }
        for (String pattern : patterns) {
            add(Objects.requireNonNull(pattern, "a name is null"));
        }
        if (names.contains(COLLECTIONS)) {
            names.addAll(IMMUTABLE_COLLECTIONS);
        }
    }

    private void add(String pattern) {
        if (!NAME.matcher(pattern).matches()) {
            throw new IllegalArgumentException("\"" + pattern + "\" is not the name of a class or a package: write"
                    + " \"com.example.Order\", \"com.example.*\" or, with its subpackages, \"com.example.**\"");
        }
        if (pattern.endsWith(PACKAGES)) {
            prefixes.add(pattern.substring(0, pattern.length() - PACKAGES.length() + 1));
        } else if (pattern.endsWith(PACKAGE)) {
            packages.add(pattern.substring(0, pattern.length() - PACKAGE.length()));
        } else {
            names.add(pattern);
        }
    }

    /** Whether the class, or the element type of the array, is a primitive or was named. */
    boolean allows(Class<?> type) {
        return type.isPrimitive() || allows(type.getName());
    }

    /**
     * Whether the class, or the element type of the array, is a primitive or was named.
     *
     * @param typeName as {@link Class#getName} gives it
     */
    boolean allows(String typeName) {
        int dimensions = typeName.lastIndexOf('[') + 1;
        String name = typeName.substring(dimensions);
        if (dimensions > 0) {
            if (name.length() == 1) {
                return PRIMITIVES.contains(name);
            }
            if (!name.startsWith("L") || !name.endsWith(";")) {
                return false;
            }
            name = name.substring(1, name.length() - 1);
        }
        return names.contains(name)
                || packages.contains(name.substring(0, Math.max(0, name.lastIndexOf('.'))))
                || prefixes.stream().anyMatch(name::startsWith);
    }

    /** Whether an object of this class, which is allowed, is known to become one of an allowed class on reading. */
    boolean allowsWhatBecomesOf(String name) {
        boolean isOfTheJdk = name.startsWith("java.");
        return isOfTheJdk && (name.equals(COLLECTIONS) || packages.contains(name.substring(0, name.lastIndexOf('.'))));
    }

    /** What to tell about a class that is not allowed. */
    static String notAllowed(String name) {
        return "Java serialization of " + name + " is not allowed: name it in JavaSerialization.allowing";
    }
}
