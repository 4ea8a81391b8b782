// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.serialization;

import java.io.ObjectStreamConstants;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A class as a stream in Java serialization describes it. Nothing here looks for the class itself.
 *
 * @param name as {@link Class#getName} gives it
 * @param flags the flags of {@link ObjectStreamConstants}
 * @param primitiveBytes the length of its primitive fields
 * @param objectFields how many fields hold objects
 * @param namedOffset where among the primitive fields the one of {@link #namedInt} is; negative if there is none
 * @param parent its superclass in the stream
 */
record StreamClass(
        String name,
        int flags,
        int primitiveBytes,
        int objectFields,
        int namedOffset,
        @Nullable StreamClass parent) {

    /** How a collection of the JDK compares its elements while it is read. */
    enum Comparing {
        /** By their hash. Colliding ones form a tree if they can be ordered. */
        HASHED,
        /** By their hash. Each of the colliding ones meets all others. */
        CHAINED,
        /** By their order. */
        ORDERED
    }

    /**
     * What the objects are that a class wrote.
     *
     * @param pairs whether every second one is the value of the one before it, which nothing is compared with
     */
    record Elements(Comparing comparing, boolean pairs) {}

    private static final Map<String, Elements> COLLECTIONS = Map.of(
            "java.util.HashMap", new Elements(Comparing.HASHED, true),
            "java.util.HashSet", new Elements(Comparing.HASHED, false),
            "java.util.concurrent.ConcurrentHashMap", new Elements(Comparing.HASHED, true),
            "java.util.Hashtable", new Elements(Comparing.CHAINED, true),
            "java.util.PriorityQueue", new Elements(Comparing.ORDERED, false),
            "java.util.concurrent.ConcurrentSkipListMap", new Elements(Comparing.ORDERED, true));

    /** What {@code List.of}, {@code Set.of} and {@code Map.of} are written as; its field {@code tag} says which. */
    private static final String IMMUTABLE = "java.util.CollSer";

    /** What {@code Collections.nCopies} gives; its field {@code n} says how many. */
    private static final String COPIES = "java.util.Collections$CopiesList";

    private static final int SET_TAG = 2;
    private static final int MAP_TAG = 3;

    /** Classes whose values have an order of their own, and whose order costs no more than their bytes. */
    private static final Set<String> ORDERED_VALUES = Set.of(
            "java.lang.Boolean",
            "java.lang.Byte",
            "java.lang.Character",
            "java.lang.Double",
            "java.lang.Float",
            "java.lang.Integer",
            "java.lang.Long",
            "java.lang.Short",
            "java.util.Date",
            "java.util.UUID");

    boolean writesMore() {
        return (flags & ObjectStreamConstants.SC_WRITE_METHOD) != 0;
    }

    boolean isSerializable() {
        return (flags & ObjectStreamConstants.SC_SERIALIZABLE) != 0;
    }

    boolean isExternalizable() {
        return (flags & ObjectStreamConstants.SC_EXTERNALIZABLE) != 0;
    }

    boolean hasBlocks() {
        return (flags & ObjectStreamConstants.SC_BLOCK_DATA) != 0;
    }

    private boolean isImmutableCollection() {
        return name.equals(IMMUTABLE);
    }

    /** Whether it holds one object many times. */
    boolean isCopies() {
        return name.equals(COPIES);
    }

    /** Whether it is a set that is searched from end to end. */
    boolean isArraySet() {
        return name.equals("java.util.concurrent.CopyOnWriteArraySet");
    }

    /** The field of class {@code name} that tells how it compares what it holds; null if there is none. */
    static @Nullable String namedInt(String name) {
        return switch (name) {
            case IMMUTABLE -> "tag";
            case COPIES -> "n";
            default -> null;
        };
    }

    /** Whether the magnitude of its numbers costs more than its length when they are compared. */
    boolean isBigNumber() {
        return name.equals("java.math.BigInteger");
    }

    /** Whether values of this class in one table, however they collide, are found by their order. */
    boolean hasOrderedValues() {
        return (flags & ObjectStreamConstants.SC_ENUM) != 0 || ORDERED_VALUES.contains(name);
    }

    /** Whether it, or the element type of the array, is a class of the JDK. */
    boolean isOfJdk() {
        int dimensions = name.lastIndexOf('[') + 1;
        return name.startsWith("java.", dimensions == 0 ? 0 : dimensions + 1);
    }

    /** What it compares of the objects that it wrote; null if nothing. */
    @Nullable
    Elements elements(int tag) {
        if (isImmutableCollection()) {
            int kind = tag & 0xff;
            return kind == SET_TAG || kind == MAP_TAG ? new Elements(Comparing.CHAINED, kind == MAP_TAG) : null;
        }
        return COLLECTIONS.get(name);
    }

    /** The bytes that an element of this array takes; 0 if it is no array. */
    int elementBytes() {
        return name.startsWith("[") ? bytesOf(name.charAt(1)) : 0;
    }

    /** Whether it is an array of primitives. */
    boolean isPrimitiveArray() {
        return name.length() == 2 && name.startsWith("[");
    }

    /** The bytes of a field of this type, or of an element in memory. */
    static int bytesOf(char type) {
        return switch (type) {
            case 'B', 'Z' -> 1;
            case 'C', 'S' -> 2;
            case 'D', 'J' -> 8;
            default -> 4;
        };
    }
}
