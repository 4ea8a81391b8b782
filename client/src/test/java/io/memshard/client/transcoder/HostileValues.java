// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Values in Java serialization that somebody has made to harm the reader. */
public final class HostileValues {

    private HostileValues() {}

    /** The value as a client without limits writes it. */
    public static byte[] serialized(Object value) {
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(data)) {
            out.writeObject(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return data.toByteArray();
    }

    /** The bytes with each occurrence of an ASCII text replaced by another of the same length. */
    static byte[] replaced(byte[] data, String text, String other) {
        String all = new String(data, StandardCharsets.ISO_8859_1);
        if (text.length() != other.length() || !all.contains(text)) {
            throw new IllegalArgumentException(text + " cannot become " + other);
        }
        return all.replace(text, other).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** A list that holds one list several times, which does so too, and so on. */
    static Object doubling(int depth, int times) {
        Object inner = "innermost";
        for (int i = 0; i < depth; i++) {
            List<Object> outer = new ArrayList<>();
            for (int j = 0; j < times; j++) {
                outer.add(inner);
            }
            inner = outer;
        }
        return inner;
    }

    /** A set of that value; the set is filled without its hash. */
    static byte[] inSet(Object value) {
        return setOf(List.of(value));
    }

    /** A set of elements of which nobody knows that they are too many. */
    public static byte[] setOf(List<?> elements) {
        return renamed(serialized(new Elements(elements)), Elements.class, "java.util.HashSet");
    }

    /** A queue of elements of which nobody knows that they are too many. */
    static byte[] queueOf(List<?> elements) {
        return renamed(serialized(new QueueElements(elements)), QueueElements.class, "java.util.PriorityQueue");
    }

    /** References to few objects, to each in turn. */
    static List<Object> inTurn(int count, Object... few) {
        return IntStream.range(0, count).mapToObj(i -> few[i % few.length]).toList();
    }

    /** Bits of which only one is set. */
    static BitSet farBit(int bit) {
        BitSet bits = new BitSet();
        bits.set(bit);
        return bits;
    }

    /** Lists of two numbers with the same hash. */
    public static List<Object> collidingLists(int count) {
        List<Object> lists = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            lists.add(new ArrayList<>(List.of(i, -31 * i)));
        }
        return lists;
    }

    /** An object that takes as few bytes as there can be. */
    static final class Nothing implements Serializable {}

    /** Strings with the same hash. */
    static List<String> collidingStrings(int bits) {
        return IntStream.range(0, 1 << bits)
                .mapToObj(number -> {
                    StringBuilder text = new StringBuilder();
                    for (int bit = 0; bit < bits; bit++) {
                        text.append((number >> bit & 1) == 0 ? "Aa" : "BB");
                    }
                    return text.toString();
                })
                .toList();
    }

    /** A table of one place with that many keys. */
    static byte[] narrowHashtable(int keys) {
        Map<Object, Object> table = new Hashtable<>(1_000_003, 0.99f);
        for (int i = 0; i < keys; i++) {
            table.put(i, "");
        }
        // The field for the length of the table, which readers take for the most.
        byte[] data = serialized(table);
        int at = indexOf(data, ByteBuffer.allocate(4).putInt(1_000_003).array());
        ByteBuffer.wrap(data).putInt(at, 1);
        return data;
    }

    private static int indexOf(byte[] data, byte[] part) {
        for (int at = 0; at <= data.length - part.length; at++) {
            if (Arrays.equals(data, at, at + part.length, part, 0, part.length)) {
                return at;
            }
        }
        throw new IllegalArgumentException("it is not there");
    }

    /** The bytes with each int {@code length} replaced by another. */
    static byte[] claiming(Object honest, int length, int claimed) {
        byte[] data = serialized(honest);
        byte[] part = ByteBuffer.allocate(4).putInt(length).array();
        boolean found = false;
        for (int at = 0; at <= data.length - 4; at++) {
            if (Arrays.equals(data, at, at + 4, part, 0, 4)) {
                ByteBuffer.wrap(data).putInt(at, claimed);
                found = true;
            }
        }
        if (!found) {
            throw new IllegalArgumentException("the length is not there");
        }
        return data;
    }

    /** Many short lists in an array, each of which claims to be long. */
    static byte[] longLists(int count, int claimed) {
        Object[] lists = new Object[count];
        Arrays.setAll(lists, i -> new ArrayList<>(List.of("", "", "", "", "", "", "")));
        return claiming(lists, 7, claimed);
    }

    /**
     * Numbers of 17 digits with the hash and the magnitude of one that has many. To compare any of them with that one,
     * ten is raised to a power of as many digits.
     */
    static List<Object> collidingNumbers(int bytes, int count) {
        byte[] magnitude = new byte[bytes];
        Arrays.fill(magnitude, (byte) 7);
        BigDecimal huge = new BigDecimal(new BigInteger(1, magnitude));
        int scale = 17 - huge.precision();
        // The hash is 31 times that of the unscaled value, and the scale.
        BigInteger inverse = BigInteger.valueOf(31).modInverse(BigInteger.ONE.shiftLeft(Integer.SIZE));
        int unscaledHash = (huge.hashCode() - scale) * inverse.intValue();
        List<Object> numbers = new ArrayList<>(List.of(huge));
        for (int upper = 2_400_000; upper < 2_400_000 + count; upper++) {
            long lower = Integer.toUnsignedLong(unscaledHash - 31 * upper);
            numbers.add(new BigDecimal(BigInteger.valueOf((long) upper << Integer.SIZE | lower), scale));
        }
        return numbers;
    }

    /** Maps in the order of their keys, which have a long common prefix. All have the same hash. */
    static List<Object> collidingTrees(int count, int keys) {
        return collidingLists(count).stream()
                .map(list -> {
                    Map<Object, Object> tree = new TreeMap<>();
                    for (int i = 0; i < keys; i++) {
                        tree.put("x".repeat(200) + i, i == keys - 1 ? list : "");
                    }
                    return (Object) tree;
                })
                .toList();
    }

    /** A list of itself and many others, in a set. */
    static byte[] setOfLongCycle(int others) {
        List<Object> itself = new ArrayList<>(IntStream.range(0, others).boxed().toList());
        itself.add(itself);
        return inSet(itself);
    }

    /** Numbers that all refer to one array, of which each makes a copy. */
    static byte[] numbersOfOneArray(int bytes, int count) {
        byte[] shared = new byte[bytes];
        Arrays.fill(shared, (byte) 1);
        Object[] all = new Object[count];
        Arrays.setAll(all, i -> new Magnitude(1, shared));
        return renamed(serialized(all), Magnitude.class, "java.math.BigInteger");
    }

    /** Arrays of names that no class has. */
    public static byte[] unknownName(String packageName, int number) {
        byte[] data = serialized(new HashMap<>());
        String name = "java.util.HashMap";
        String other = packageName + ".";
        String digits = "N".repeat(name.length()) + number;
        return replaced(data, name, other + digits.substring(digits.length() - (name.length() - other.length())));
    }

    /** A class of the JDK that makes something large of a few bytes. */
    static Object many(int count, IntFunction<?> one) {
        return new ArrayList<>(IntStream.range(0, count).mapToObj(one).toList());
    }

    /** An object graph that never ends. */
    static byte[] setOfItself() {
        List<Object> itself = new ArrayList<>();
        itself.add(itself);
        itself.add(itself);
        return inSet(itself);
    }

    /** The bytes with the name of a class, which comes once, replaced by that of the class that it stands for. */
    private static byte[] renamed(byte[] data, Class<?> standIn, String name) {
        String all = new String(data, StandardCharsets.ISO_8859_1);
        int at = all.indexOf(standIn.getName());
        String end = all.substring(at + standIn.getName().length());
        return (all.substring(0, at - 2) + "\0" + (char) name.length() + name + end)
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Written as a HashSet is. */
    private static final class Elements implements Serializable {

        private static final long serialVersionUID = -5024744406713321676L;

        private final transient List<?> elements;

        Elements(List<?> elements) {
            this.elements = elements;
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeInt(elements.size());
            out.writeFloat(0.75f);
            out.writeInt(elements.size());
            for (Object element : elements) {
                out.writeObject(element);
            }
        }
    }

    /** Written as a PriorityQueue is. */
    private static final class QueueElements implements Serializable {

        private static final long serialVersionUID = -7720805057305804111L;

        private final int size;
        private final @Nullable Comparator<?> comparator = null;
        private final transient List<?> elements;

        QueueElements(List<?> elements) {
            this.size = elements.size();
            this.elements = elements;
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeInt(size + 1);
            for (Object element : elements) {
                out.writeObject(element);
            }
        }
    }

    /** Written as a BigInteger is, which readers take without the other fields. */
    private static final class Magnitude implements Serializable {

        private static final long serialVersionUID = -8287574255936472291L;

        private final int signum;
        private final byte[] magnitude;

        Magnitude(int signum, byte[] magnitude) {
            this.signum = signum;
            this.magnitude = magnitude;
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
        }
    }
}
