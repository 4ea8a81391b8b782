// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.serialization;

import java.io.InvalidObjectException;

/**
 * The limits of one stream in Java serialization.
 *
 * <p>Threading: immutable.
 *
 * @param depth how deep objects may be nested
 * @param references how many references there may be
 * @param arrayLength how many elements an array, or the table of a collection, may have
 * @param comparisons how many objects {@code hashCode}, {@code equals} and {@code compareTo} may visit at worst, while
 *     the collections in the stream are filled
 */
public record SerializationLimits(int depth, int references, int arrayLength, long comparisons) {

    public static final SerializationLimits DEFAULTS = new SerializationLimits(20, 100_000, 1_000_000, 25_000_000);

    /**
     * How many bytes of arrays and tables each byte of a stream may ask for. The collections of the JDK ask for less
     * than three, and an array of nulls for four.
     */
    private static final int ARRAY_BYTES_FOR_EACH_BYTE = 5;

    /** What the smallest collections take, whatever the length of the stream. */
    private static final int ARRAY_BYTES_TO_SPARE = 4096;

    public SerializationLimits {
        if (depth < 1 || references < 1 || arrayLength < 0 || comparisons < 1) {
            throw new IllegalArgumentException("limits are " + depth + ", " + references + ", " + arrayLength + " and "
                    + comparisons + ": the array length is at least 0, the others are at least 1");
        }
    }

    void checkDepth(long found) throws InvalidObjectException {
        check("depth", found, depth);
    }

    void checkReferences(long found) throws InvalidObjectException {
        check("references", found, references);
    }

    void checkArrayLength(long found) throws InvalidObjectException {
        check("array length", found, arrayLength);
    }

    void checkComparisons(long found) throws InvalidObjectException {
        check("comparisons", found, comparisons);
    }

    /** Checks the sum over all arrays, or over all tables, of a stream. */
    void checkArrayBytes(long found, int streamBytes) throws InvalidObjectException {
        check("array bytes", found, ARRAY_BYTES_TO_SPARE + (long) ARRAY_BYTES_FOR_EACH_BYTE * streamBytes);
    }

    /**
     * Whether the tables of the collections in a stream of this length may be above the limit of the array length. They
     * have at most eight places for each byte.
     */
    boolean mayExceedArrayLength(int streamBytes) {
        return streamBytes > arrayLength / 8;
    }

    private static void check(String what, long found, long limit) throws InvalidObjectException {
        if (found > limit) {
            throw new InvalidObjectException("the value in Java serialization is above the limits of"
                    + " JavaSerialization: " + what + " " + found + " of " + limit);
        }
    }
}
