// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.serialization;

import java.util.HashSet;
import java.util.List;
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

    /** Superclasses of numbers and enums. No stream can make an instance of them. */
    private static final Set<String> ALWAYS_ALLOWED =
            Set.of(Object.class.getName(), Number.class.getName(), Enum.class.getName());

    /**
     * Classes whose content {@link StreamCheck} cannot see. The first has one object up to two billion times. The
     * second reads objects in place of its fields, so a stream can hide others there.
     */
    private static final Set<String> NEVER_ALLOWED =
            Set.of("java.util.Collections$CopiesList", "java.util.concurrent.LinkedTransferQueue");

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

    /**
     * Returns whether the class, or the element type of the array, is a primitive or was named.
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
        boolean isNamed = names.contains(name)
                || packages.contains(name.substring(0, Math.max(0, name.lastIndexOf('.'))))
                || prefixes.stream().anyMatch(name::startsWith);
        return isNamed && !NEVER_ALLOWED.contains(name);
    }

    /** Returns the failure of a class that is not allowed. */
    static String notAllowed(String name) {
        return "Java serialization of " + name + " is "
                + (NEVER_ALLOWED.contains(name)
                        ? "never allowed"
                        : "not allowed: name it in JavaSerialization.allowing");
    }
}
