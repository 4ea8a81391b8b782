// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.serialization;

import io.memshard.client.serialization.StreamClass.Comparing;
import io.memshard.client.serialization.StreamClass.Elements;
import java.io.InvalidObjectException;
import java.io.ObjectStreamConstants;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a stream in Java serialization without its classes, and refuses what would cost a reader too much.
 *
 * <p>The stream describes each class, so its structure can be read without any of them. That finds the names of all
 * classes before one of them is looked for. It finds arrays longer than their bytes before they are made. And it finds
 * how much work the collections will make, which no filter of the JDK can bound.
 *
 * <p>The work is that of {@code hashCode}, {@code equals} and {@code compareTo} at worst. Each of them is taken to
 * visit all that an element refers to, each time that it is referred to. So a list that holds another list twice costs
 * twice as much as that. That is what makes a small stream of nested lists or sets run for years. Strings and primitive
 * arrays count by their bytes, and a copy as often as a list of copies has it. Elements that have no order of their own
 * are taken to collide, each with all others. {@code equals} of a set or map that holds many of them looks for each.
 *
 * <p>Each class writes its fields and then, where it has a {@code writeObject}, more. A class whose {@code writeObject}
 * does not write the fields that it declares breaks the specification, and its streams are refused.
 *
 * <p>Protocol: Java Object Serialization Specification, chapter 6.
 *
 * <p>Threading: confined to the thread that checks.
 */
final class StreamCheck {

    /** More than any limit, and small enough to be added and multiplied by the number of references. */
    private static final long ENDLESS = 1L << 40;

    /** What finding the place of a value among others costs, in comparisons. */
    private static final int LOOKUP = 32;

    /** The same where the order tells, because a comparator may look at each character of a string. */
    private static final int ORDERED_LOOKUP = 2 * LOOKUP;

    /** Comparing that many bytes of strings and primitive arrays is about as expensive as visiting an object. */
    private static final int VISIT_BYTES = 128;

    /** Searching among that many colliding elements is about as expensive as visiting one of them. */
    private static final int SEARCHED = 16;

    /** Asking that many parts of a comparator is about as expensive as comparing. */
    private static final int COMPARATOR_PARTS = 16;

    /** What passing by one of them in a tree costs besides. */
    private static final int SEARCH = 2;

    /** A power of ten of that many bytes is about as expensive as visiting their square. */
    private static final int BIG_NUMBER_BYTES = 64;

    private static final long CLASS = 0;

    private final ByteBuffer in;
    private final AllowList allowed;
    private final SerializationLimits limits;
    private final Set<String> described = new HashSet<>();

    private int handles;
    /** By handle: the class that it is, or is of; null for strings. */
    private @Nullable StreamClass[] classes = new StreamClass[16];
    /**
     * By handle: how many objects are visited from it; {@link #CLASS} for a class; while it is being read, the
     * negative of one more than the classes of others around it.
     */
    private long[] weights = new long[16];
    /** By handle: the bytes of an array. */
    private int[] arrayBytes = new int[16];

    private int references;
    private int others;
    private long allArrayBytes;
    private long comparisons;

    /** The handle of the object that was read last; negative for null. */
    private int last;

    private StreamCheck(byte[] data, AllowList allowed, SerializationLimits limits) {
        this.in = ByteBuffer.wrap(data);
        this.allowed = allowed;
        this.limits = limits;
    }

    /**
     * Checks the first object of a stream, with all that it refers to.
     *
     * @throws InvalidObjectException if it is not allowed, above a limit or damaged
     */
    static void check(byte[] data, AllowList allowed, SerializationLimits limits) throws InvalidObjectException {
        try {
            new StreamCheck(data, allowed, limits).checkStream();
        } catch (BufferUnderflowException e) {
            throw damaged("it ends too early", e);
        }
    }

    private static InvalidObjectException damaged(String why, Throwable cause) {
        InvalidObjectException damaged = new InvalidObjectException("the value cannot be deserialized: " + why);
        damaged.initCause(cause);
        return damaged;
    }

    private static InvalidObjectException damaged(String why) {
        return new InvalidObjectException("the value cannot be deserialized: " + why);
    }

    private void checkStream() throws InvalidObjectException {
        if (in.getShort() != ObjectStreamConstants.STREAM_MAGIC
                || in.getShort() != ObjectStreamConstants.STREAM_VERSION) {
            throw damaged("it does not start as Java serialization does");
        }
        readObject(in.get(), 1);
    }

    /** Reads what {@code code} begins. Returns how many objects are visited from it. */
    private long readObject(byte code, int depth) throws InvalidObjectException {
        limits.checkReferences(++references);
        switch (code) {
            case ObjectStreamConstants.TC_NULL -> {
                last = -1;
                return 1;
            }
            case ObjectStreamConstants.TC_REFERENCE -> {
                return readReference();
            }
            case ObjectStreamConstants.TC_STRING -> {
                return readString(Short.toUnsignedInt(in.getShort()));
            }
            case ObjectStreamConstants.TC_LONGSTRING -> {
                return readString(in.getLong());
            }
            default -> limits.checkDepth(depth);
        }
        switch (code) {
            case ObjectStreamConstants.TC_OBJECT -> {
                return readInstance(depth);
            }
            case ObjectStreamConstants.TC_ARRAY -> {
                return readArray(depth);
            }
            case ObjectStreamConstants.TC_ENUM -> {
                int handle = assign(readClass(depth), 1);
                readObject(in.get(), depth + 1);
                last = handle;
                return 1;
            }
            case ObjectStreamConstants.TC_CLASS -> {
                last = assign(readClass(depth), 1);
                return 1;
            }
            case ObjectStreamConstants.TC_CLASSDESC, ObjectStreamConstants.TC_PROXYCLASSDESC -> {
                readNewClass(code, depth);
                return 1;
            }
            default -> throw damaged("it has the code " + code);
        }
    }

    private int assign(@Nullable StreamClass type, long weight) {
        if (handles == weights.length) {
            classes = Arrays.copyOf(classes, handles * 2);
            weights = Arrays.copyOf(weights, handles * 2);
            arrayBytes = Arrays.copyOf(arrayBytes, handles * 2);
        }
        classes[handles] = type;
        weights[handles] = weight;
        return handles++;
    }

    private int readHandle() throws InvalidObjectException {
        int handle = in.getInt() - ObjectStreamConstants.baseWireHandle;
        if (handle < 0 || handle >= handles) {
            throw damaged("it refers to an object that it does not have");
        }
        return handle;
    }

    private long readReference() throws InvalidObjectException {
        int handle = readHandle();
        last = handle;
        // Some classes copy the array that they are given.
        countArrayBytes(arrayBytes[handle]);
        long weight = weights[handle];
        if (weight >= 0) {
            return Math.max(1, weight);
        }
        // The JDK's collections follow their elements for ever. Other classes would find no end either, so they do not.
        return others == -weight - 1 ? ENDLESS : 1;
    }

    private long readString(long bytes) {
        skip(bytes);
        long weight = 1 + bytes / VISIT_BYTES;
        last = assign(null, weight);
        return weight;
    }

    private void skip(long bytes) {
        if (bytes < 0 || bytes > in.remaining()) {
            throw new BufferUnderflowException();
        }
        in.position(in.position() + (int) bytes);
    }

    // Classes.

    private StreamClass readClass(int depth) throws InvalidObjectException {
        StreamClass type = readClassOrNull(depth);
        if (type == null) {
            throw damaged("an object has no class");
        }
        return type;
    }

    private @Nullable StreamClass readClassOrNull(int depth) throws InvalidObjectException {
        byte code = in.get();
        switch (code) {
            case ObjectStreamConstants.TC_NULL -> {
                return null;
            }
            case ObjectStreamConstants.TC_REFERENCE -> {
                int handle = readHandle();
                StreamClass type = classes[handle];
                if (type == null || weights[handle] != CLASS) {
                    throw damaged("an object has another object for its class");
                }
                return type;
            }
            default -> {
                return readNewClass(code, depth);
            }
        }
    }

    private StreamClass readNewClass(byte code, int depth) throws InvalidObjectException {
        if (code == ObjectStreamConstants.TC_PROXYCLASSDESC) {
            throw new InvalidObjectException("Java serialization of proxies is not allowed");
        }
        if (code != ObjectStreamConstants.TC_CLASSDESC) {
            throw damaged("it has the code " + code + " in place of a class");
        }
        String name = readName();
        if (!allowed.allows(name)) {
            throw new InvalidObjectException(AllowList.notAllowed(name));
        }
        if (!described.add(name)) {
            throw damaged("it describes a class twice");
        }
        in.getLong();
        int handle = assign(null, CLASS);
        int flags = in.get();
        int primitiveBytes = 0;
        int objectFields = 0;
        String namedInt = StreamClass.namedInt(name);
        int namedOffset = -1;
        for (int left = Short.toUnsignedInt(in.getShort()); left > 0; left--) {
            char type = (char) in.get();
            String field = readName();
            if (type == 'L' || type == '[') {
                readTypeName();
                objectFields++;
            } else if ("BCDFIJSZ".indexOf(type) >= 0 && objectFields == 0) {
                if (type == 'I' && field.equals(namedInt)) {
                    namedOffset = primitiveBytes;
                }
                primitiveBytes += StreamClass.bytesOf(type);
            } else {
                throw damaged("a field has no type, or is out of order");
            }
        }
        readMore(null, depth);
        StreamClass type =
                new StreamClass(name, flags, primitiveBytes, objectFields, namedOffset, readClassOrNull(depth));
        classes[handle] = type;
        last = handle;
        return type;
    }

    private String readName() {
        int length = Short.toUnsignedInt(in.getShort());
        int start = in.position();
        skip(length);
        // What is not ASCII has another encoding there in rare cases, and is then not allowed.
        return new String(in.array(), start, length, StandardCharsets.UTF_8);
    }

    private void readTypeName() throws InvalidObjectException {
        byte code = in.get();
        if (code == ObjectStreamConstants.TC_STRING) {
            readString(Short.toUnsignedInt(in.getShort()));
        } else if (code == ObjectStreamConstants.TC_REFERENCE) {
            readHandle();
        } else {
            throw damaged("a field has no type");
        }
    }

    // Objects.

    private long readInstance(int depth) throws InvalidObjectException {
        StreamClass type = readClass(depth);
        int handle = assign(type, -1 - others);
        int other = type.isOfJdk() ? 0 : 1;
        others += other;
        long weight = readFields(type, 1, depth);
        others -= other;
        weights[handle] = weight;
        last = handle;
        return weight;
    }

    /** Reads what the class and its superclasses wrote, those first. Returns the weight with that of what they hold. */
    private long readFields(StreamClass type, long before, int depth) throws InvalidObjectException {
        StreamClass parent = type.parent();
        long weight = parent == null ? before : readFields(parent, before, depth);
        if (type.isExternalizable()) {
            if (!type.hasBlocks()) {
                throw damaged("it has a class of the protocol of Java 1.1");
            }
            return sum(weight, readMore(null, depth));
        }
        if (!type.isSerializable()) {
            return weight;
        }
        int fields = in.position();
        skip(type.primitiveBytes());
        int named = type.namedOffset() >= 0 ? in.getInt(fields + type.namedOffset()) : 0;
        for (int i = 0; i < type.objectFields(); i++) {
            weight = sum(weight, readObject(in.get(), depth + 1));
            if (type.isBigNumber() && last >= 0) {
                long parts = arrayBytes[last] / BIG_NUMBER_BYTES;
                weight = sum(weight, parts * parts);
            }
        }
        if (type.isCopies()) {
            if (named < 0) {
                throw damaged("a list has no length");
            }
            limits.checkArrayLength(named);
            countArrayBytes((int) Math.min(Integer.MAX_VALUE, (long) named * Integer.BYTES));
            weight = times(weight, Math.max(1, named));
        }
        if (type.isArraySet()) {
            weight = searched(weight, weight);
        }
        if (!type.writesMore()) {
            return weight;
        }
        Elements elements = type.elements(named);
        return sum(weight, readMore(elements == null ? null : new Compared(elements, weight - before), depth));
    }

    /**
     * Reads what a class wrote besides its fields, to its end.
     *
     * @param compared where the objects in it are counted; null if nothing compares them
     */
    private long readMore(@Nullable Compared compared, int depth) throws InvalidObjectException {
        long weight = 0;
        while (true) {
            byte code = in.get();
            switch (code) {
                case ObjectStreamConstants.TC_ENDBLOCKDATA -> {
                    if (compared != null) {
                        comparisons = sum(comparisons, compared.comparisons());
                        limits.checkComparisons(comparisons);
                        weight = searched(weight, compared.searches());
                    }
                    return weight;
                }
                case ObjectStreamConstants.TC_BLOCKDATA -> skip(Byte.toUnsignedInt(in.get()));
                case ObjectStreamConstants.TC_BLOCKDATALONG -> skip(in.getInt());
                default -> {
                    long one = readObject(code, depth + 1);
                    weight = sum(weight, one);
                    if (compared != null) {
                        compared.add(one, last);
                    }
                }
            }
        }
    }

    private long readArray(int depth) throws InvalidObjectException {
        StreamClass type = readClass(depth);
        int handle = assign(type, -1 - others);
        last = handle;
        int elementBytes = type.elementBytes();
        int length = in.getInt();
        if (elementBytes == 0 || length < 0) {
            throw damaged("an array has no length or no type");
        }
        limits.checkArrayLength(length);
        arrayBytes[handle] = (int) Math.min(Integer.MAX_VALUE, (long) length * elementBytes);
        countArrayBytes(arrayBytes[handle]);
        long weight = 1;
        if (type.isPrimitiveArray()) {
            skip((long) length * elementBytes);
            weight += arrayBytes[handle] / VISIT_BYTES;
        } else {
            // Each element has at least one byte.
            if (length > in.remaining()) {
                throw new BufferUnderflowException();
            }
            for (int i = 0; i < length; i++) {
                weight = sum(weight, readObject(in.get(), depth + 1));
            }
        }
        weights[handle] = weight;
        last = handle;
        return weight;
    }

    private void countArrayBytes(int bytes) throws InvalidObjectException {
        allArrayBytes += bytes;
        limits.checkArrayBytes(allArrayBytes, in.capacity());
    }

    private static long sum(long a, long b) {
        return Math.min(ENDLESS, a + b);
    }

    private static long times(long weight, long times) {
        return times > 0 && weight > ENDLESS / times ? ENDLESS : weight * times;
    }

    /** What finding each element costs, when each search passes by {@code others}. */
    private static long searched(long weight, long others) {
        return sum(weight, times(weight, others) / SEARCHED);
    }

    /** The elements of one collection. */
    private final class Compared {

        private final Elements elements;
        /** What the fields of the collection refer to: the comparator, where the order tells. */
        private final long fieldWeight;

        private long all;
        private long count;
        private long weights;
        private boolean ordered = true;
        private @Nullable StreamClass first;

        Compared(Elements elements, long fieldWeight) {
            this.elements = elements;
            this.fieldWeight = fieldWeight;
        }

        @SuppressWarnings("ReferenceEquality") // A class has one description in a stream.
        void add(long weight, int handle) {
            if (elements.pairs() && all++ % 2 == 1) {
                return;
            }
            StreamClass type = handle < 0 ? null : classes[handle];
            first = count == 0 ? type : first;
            // Those of different classes have no order. A string has no class here.
            ordered &= type == first && (type == null || type.hasOrderedValues());
            count++;
            weights = sum(weights, weight);
        }

        long comparisons() {
            long colliding = 0;
            switch (elements.comparing()) {
                case ORDERED -> {
                    return times(weights * ORDERED_LOOKUP, 1 + fieldWeight / COMPARATOR_PARTS);
                }
                case CHAINED -> colliding = weights * count / (ordered ? 4 : 2);
                case HASHED -> {
                    // A tree without an order is searched whole.
                    colliding = ordered ? 0 : (weights + count * SEARCH) * count / 2;
                }
            }
            return sum(weights * LOOKUP, colliding);
        }

        /** How many others it may pass by to find one element. */
        long searches() {
            boolean chained = elements.comparing() == Comparing.CHAINED;
            boolean colliding = elements.comparing() == Comparing.HASHED && !ordered;
            return chained || colliding ? count : 0;
        }
    }
}
