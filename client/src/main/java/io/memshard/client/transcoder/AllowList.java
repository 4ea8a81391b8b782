// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

final class AllowList {

    private static final String PACKAGE = ".*";
    private static final String PACKAGES = ".**";
    private static final String PRIMITIVES = "BCDFIJSZ";
    private static final Pattern NAME = Pattern.compile(
            "\\p{javaJavaIdentifierStart}\\p{javaJavaIdentifierPart}*(\\.\\p{javaJavaIdentifierPart}+)*(\\.\\*{1,2})?");

    /** Superclasses that are always allowed, because no stream can create direct instances of them. */
    private static final Set<String> ALWAYS_ALLOWED =
            Set.of(Object.class.getName(), Number.class.getName(), Enum.class.getName());

    /**
     * Classes whose objects {@link StreamCheck} cannot count. {@code CopiesList} can repeat one object two billion
     * times. {@code LinkedTransferQueue} reads objects in place of its fields.
     */
    private static final Set<String> NEVER_ALLOWED =
            Set.of("java.util.Collections$CopiesList", "java.util.concurrent.LinkedTransferQueue");

    private final Set<String> names = new HashSet<>(ALWAYS_ALLOWED);
    private final Set<String> packages = new HashSet<>();
    private final Set<String> prefixes = new HashSet<>();

    AllowList(List<String> patterns) {
        if (patterns.isEmpty()) {
            throw new IllegalArgumentException(
                    "the list of allowed classes is empty: name at least one class, such as \"com.example.Order\"");
        }
        for (String pattern : patterns) {
            add(Objects.requireNonNull(pattern, "a name of an allowed class is null"));
        }
    }

    private void add(String pattern) {
        if (!NAME.matcher(pattern).matches()) {
            throw new IllegalArgumentException("\"" + pattern + "\" is not the name of a class or a package: write"
                    + " \"com.example.Order\", \"com.example.*\" or (with subpackages) \"com.example.**\"");
        }
        if (pattern.endsWith(PACKAGES)) {
            prefixes.add(pattern.substring(0, pattern.length() - PACKAGES.length() + 1));
        } else if (pattern.endsWith(PACKAGE)) {
            packages.add(pattern.substring(0, pattern.length() - PACKAGE.length()));
        } else {
            names.add(pattern);
        }
    }

    boolean allows(String typeName) {
        String name = toName(typeName);
        int dimensions = name.lastIndexOf('[') + 1;
        if (dimensions > 0) { // An array of primitives, or not a valid name.
            return name.length() == dimensions + 1 && PRIMITIVES.contains(name.substring(dimensions));
        }
        boolean isNamed = names.contains(name)
                || packages.contains(name.substring(0, Math.max(0, name.lastIndexOf('.'))))
                || prefixes.stream().anyMatch(name::startsWith);
        return isNamed && !isNeverAllowed(name);
    }

    /** Returns the listed name; for an array, the name of the element type. */
    static String toName(String typeName) {
        int dimensions = typeName.lastIndexOf('[') + 1;
        boolean isOfObjects = dimensions > 0 && typeName.startsWith("L", dimensions) && typeName.endsWith(";");
        return isOfObjects ? typeName.substring(dimensions + 1, typeName.length() - 1) : typeName;
    }

    static boolean isNeverAllowed(String name) {
        return NEVER_ALLOWED.contains(name);
    }

    static String notAllowed(Collection<String> names) {
        for (String name : names) {
            if (isNeverAllowed(name)) {
                return "Java serialization of " + name + " is never allowed";
            }
        }
        return "Java serialization of " + String.join(", ", names) + " is not allowed: name "
                + (names.size() == 1 ? "it" : "them") + " in JavaSerialization.allowing";
    }
}
