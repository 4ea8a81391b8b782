// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.serialization;

import java.io.InvalidObjectException;
import java.io.ObjectStreamConstants;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Check of a stream in Java serialization before any of its classes is looked up.
 *
 * <p>The check refuses names that are not allowed, objects that are nested too deeply, and too many references.
 * References are counted as {@link java.io.ObjectInputFilter} counts them, nulls and classes included, with three
 * differences. The quoted names are cases in {@code SerializationAttacksTest} that show why each difference is needed.
 *
 * <ul>
 *   <li>A reference to an object that was read before counts as all references in that object ("lists in a set"). A
 *       list that holds another list 30 times, which holds another one 30 times, and so on, takes 3 kB, and years to
 *       hash. No filter can see what a reference refers to, so the stream has to be parsed.
 *   <li>Each KiB of strings and primitive arrays counts as one more reference ("a queue of two long strings", "numbers
 *       that copy one array").
 *   <li>A {@code BigInteger} counts with the square of its length ("numbers that collide with a long one"). It may be
 *       a part of a {@code BigDecimal}. If two of these have very different scales, the JDK compares them by a power of
 *       ten of about the same length.
 * </ul>
 *
 * <p>The count limits the number of objects that one {@code hashCode} call visits. If all objects have the same hash,
 * collections compare each of them with all others. So the work is at most about the square of the count.
 *
 * <p>Protocol: Java Object Serialization Specification, chapter 6. The check reads what {@code ObjectInputStream}
 * reads, if each {@code readObject} method reads the fields of its class first, as the specification demands.
 *
 * <p>Threading: confined to the thread that checks.
 */
final class StreamCheck {

    static final String PROXY = "Java serialization of proxies is not allowed";

    /** Number of bytes of strings and arrays that count as one reference. All sizes in this class are in bytes. */
    private static final long REFERENCE = 1024;

    /**
     * Unit of the length of a big number, in bytes. The square of the length in this unit is about the cost of a
     * comparison, in references.
     */
    private static final int BIG_NUMBER_BYTES = 64;

    /**
     * Maximum length of a big number whose square does not overflow, in units of 64 bytes. A longer number counts as
     * this length.
     */
    private static final long LONGEST_BIG_NUMBER = 1 << 20;

    /** Maximum number of names in one failure message. */
    private static final int MOST_NAMES = 20;

    private final ByteBuffer in;
    private final AllowList allowed;
    private final SerializationLimits limits;

    /**
     * Names that are not allowed, in the order of the stream. They are collected so that one failure message lists them
     * all.
     */
    private final Set<String> missing = new LinkedHashSet<>();

    /** Counted size of everything that was read, in bytes. */
    private long size;

    private int handles;
    /** Class for each handle; null if the handle is of an object that is not a class. */
    private @Nullable StreamClass[] classes = new StreamClass[16];
    /** Size of the object for each handle. While an object is being read, its size is that of one reference. */
    private long[] sizes = new long[16];

    private StreamCheck(byte[] data, AllowList allowed, SerializationLimits limits) {
        this.in = ByteBuffer.wrap(data);
        this.allowed = allowed;
        this.limits = limits;
    }

    /**
     * Checks the first object of a stream, with all objects that it refers to.
     *
     * @throws InvalidObjectException if an object is not allowed, if the first object is above a limit, or if the
     *     stream is damaged
     */
    static void check(byte[] data, AllowList allowed, SerializationLimits limits) throws InvalidObjectException {
        StreamCheck check = new StreamCheck(data, allowed, limits);
        try {
            if (check.in.getShort() != ObjectStreamConstants.STREAM_MAGIC
                    || check.in.getShort() != ObjectStreamConstants.STREAM_VERSION) {
                throw damaged("it does not start as Java serialization does");
            }
            check.readObject(check.in.get(), 1);
        } catch (BufferUnderflowException e) {
            check.throwIfMissing();
            throw damaged("it ends too early");
        } catch (InvalidObjectException e) {
            check.throwIfMissing();
            throw e;
        }
        check.throwIfMissing();
    }

    private void throwIfMissing() throws InvalidObjectException {
        if (!missing.isEmpty()) {
            throw new InvalidObjectException(AllowList.notAllowed(missing));
        }
    }

    private static InvalidObjectException damaged(String why) {
        return new InvalidObjectException("the value cannot be deserialized: " + why);
    }

    private void count(long bytes) throws InvalidObjectException {
        size += bytes;
        SerializationLimits.check("references", size / REFERENCE, limits.references());
    }

    private void skip(long bytes) {
        if (bytes < 0 || bytes > in.remaining()) {
            throw new BufferUnderflowException();
        }
        in.position(in.position() + (int) bytes);
    }

    private int assign(long objectSize) {
        if (handles == sizes.length) {
            classes = Arrays.copyOf(classes, handles * 2);
            sizes = Arrays.copyOf(sizes, handles * 2);
        }
        sizes[handles] = objectSize;
        return handles++;
    }

    private int readHandle() throws InvalidObjectException {
        int handle = in.getInt() - ObjectStreamConstants.baseWireHandle;
        if (handle < 0 || handle >= handles) {
            throw damaged("it refers to an object that it does not have");
        }
        return handle;
    }

    // Objects.

    /** Reads the object whose first byte is {@code code}. */
    private void readObject(byte code, int depth) throws InvalidObjectException {
        SerializationLimits.check("depth", depth, limits.depth());
        count(REFERENCE);
        switch (code) {
            case ObjectStreamConstants.TC_NULL -> {}
            case ObjectStreamConstants.TC_REFERENCE -> count(sizes[readHandle()] - REFERENCE);
            case ObjectStreamConstants.TC_STRING -> readString(Short.toUnsignedInt(in.getShort()));
            case ObjectStreamConstants.TC_LONGSTRING -> readString(in.getLong());
            case ObjectStreamConstants.TC_OBJECT -> readInstance(depth);
            case ObjectStreamConstants.TC_ARRAY -> readArray(depth);
            case ObjectStreamConstants.TC_ENUM -> {
                readClass(in.get(), depth);
                assign(REFERENCE);
                readObject(in.get(), depth);
            }
            case ObjectStreamConstants.TC_CLASS -> {
                readClass(in.get(), depth);
                assign(REFERENCE);
            }
            case ObjectStreamConstants.TC_CLASSDESC, ObjectStreamConstants.TC_PROXYCLASSDESC -> readClass(code, depth);
            default -> throw damaged("it has the code " + code);
        }
    }

    private void readString(long bytes) throws InvalidObjectException {
        skip(bytes);
        count(bytes);
        assign(REFERENCE + bytes);
    }

    private void readInstance(int depth) throws InvalidObjectException {
        long before = size - REFERENCE;
        StreamClass type = readClass(in.get(), depth);
        int handle = assign(REFERENCE);
        if (type.has(ObjectStreamConstants.SC_EXTERNALIZABLE)) {
            readMore(depth);
        } else {
            readFields(type, depth);
        }
        sizes[handle] = size - before;
    }

    /** Reads the data that each class of an object wrote, superclasses first. */
    private void readFields(StreamClass type, int depth) throws InvalidObjectException {
        if (type.parent() != null) {
            readFields(type.parent(), depth);
        }
        skip(type.primitiveBytes());
        long before = size;
        for (int i = 0; i < type.objectFields(); i++) {
            readObject(in.get(), depth + 1);
        }
        if (type.name().equals("java.math.BigInteger")) {
            long bytes = Math.max(0, size - before - 2 * REFERENCE);
            long parts = Math.min(bytes / BIG_NUMBER_BYTES, LONGEST_BIG_NUMBER);
            count(parts * parts * REFERENCE);
        }
        if (type.has(ObjectStreamConstants.SC_WRITE_METHOD)) {
            readMore(depth);
        }
    }

    /** Reads the data that a class wrote in addition to its fields, including the end mark. */
    private void readMore(int depth) throws InvalidObjectException {
        for (byte code = in.get(); code != ObjectStreamConstants.TC_ENDBLOCKDATA; code = in.get()) {
            switch (code) {
                case ObjectStreamConstants.TC_BLOCKDATA -> skip(Byte.toUnsignedInt(in.get()));
                case ObjectStreamConstants.TC_BLOCKDATALONG -> skip(in.getInt());
                default -> readObject(code, depth + 1);
            }
        }
    }

    private void readArray(int depth) throws InvalidObjectException {
        long before = size - REFERENCE;
        StreamClass type = readClass(in.get(), depth);
        int handle = assign(REFERENCE);
        int length = in.getInt();
        if (type.isPrimitiveArray()) {
            long bytes = (long) length * bytesOf(type.name().charAt(1));
            skip(bytes);
            count(bytes);
        } else {
            for (int i = 0; i < length; i++) {
                readObject(in.get(), depth + 1);
            }
        }
        sizes[handle] = size - before;
    }

    // Classes.

    /** Reads the class whose first byte is {@code code}. */
    private StreamClass readClass(byte code, int depth) throws InvalidObjectException {
        switch (code) {
            case ObjectStreamConstants.TC_CLASSDESC -> {
                return readNewClass(depth);
            }
            case ObjectStreamConstants.TC_REFERENCE -> {
                StreamClass type = classes[readHandle()];
                if (type != null) {
                    return type;
                }
            }
            case ObjectStreamConstants.TC_PROXYCLASSDESC -> throw new InvalidObjectException(PROXY);
            default -> {}
        }
        throw damaged("an object has no class");
    }

    private StreamClass readNewClass(int depth) throws InvalidObjectException {
        SerializationLimits.check("depth", depth, limits.depth());
        count(REFERENCE);
        String name = readName();
        if (!allowed.allows(name)) {
            missing.add(AllowList.toName(name));
            if (missing.size() == MOST_NAMES || AllowList.isNeverAllowed(name)) {
                throw new InvalidObjectException(AllowList.notAllowed(missing));
            }
        }
        in.getLong();
        int handle = assign(REFERENCE);
        int flags = in.get();
        int primitiveBytes = 0;
        int objectFields = 0;
        for (int left = Short.toUnsignedInt(in.getShort()); left > 0; left--) {
            char type = (char) in.get();
            skip(Short.toUnsignedInt(in.getShort()));
            if (type == 'L' || type == '[') {
                // The name of the field's type, as a string.
                readObject(in.get(), depth);
                objectFields++;
            } else if ("BCDFIJSZ".indexOf(type) >= 0 && objectFields == 0) {
                primitiveBytes += bytesOf(type);
            } else {
                throw damaged("a field has no type, or is out of order");
            }
        }
        readMore(depth);
        byte parentCode = in.get();
        StreamClass parent = parentCode == ObjectStreamConstants.TC_NULL ? null : readClass(parentCode, depth + 1);
        StreamClass type = new StreamClass(name, flags, primitiveBytes, objectFields, parent);
        if (type.has(ObjectStreamConstants.SC_EXTERNALIZABLE) && !type.has(ObjectStreamConstants.SC_BLOCK_DATA)) {
            throw damaged("it has a class of the protocol of Java 1.1");
        }
        classes[handle] = type;
        return type;
    }

    private String readName() {
        int length = Short.toUnsignedInt(in.getShort());
        int start = in.position();
        skip(length);
        // In rare cases, the encoding of a non-ASCII name is not UTF-8. Such a name is then not allowed.
        return new String(in.array(), start, length, StandardCharsets.UTF_8);
    }

    private static int bytesOf(char type) {
        return switch (type) {
            case 'B', 'Z' -> 1;
            case 'C', 'S' -> 2;
            case 'D', 'J' -> 8;
            default -> 4;
        };
    }

    /** A class as the stream describes it, with the flags of {@link ObjectStreamConstants}. */
    private record StreamClass(
            String name,
            int flags,
            int primitiveBytes,
            int objectFields,
            @Nullable StreamClass parent) {

        boolean has(int flag) {
            return (flags & flag) != 0;
        }

        boolean isPrimitiveArray() {
            return name.length() == 2 && name.startsWith("[");
        }
    }
}
