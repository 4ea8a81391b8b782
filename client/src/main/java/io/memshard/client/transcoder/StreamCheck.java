// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import java.io.InvalidObjectException;
import java.io.ObjectStreamConstants;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Check of a serialized stream before the JDK reads it (Java Object Serialization Specification, chapter 6).
 *
 * <p>A reference to an earlier object counts as all references in that object. The JDK's filter counts it as one
 * reference, and so accepts 3 kB of nested lists that take years to hash.
 */
final class StreamCheck {

    /** Number of bytes of text or primitives that count as one reference. All sizes are in bytes. */
    private static final long REFERENCE = 1024;

    /** Unit of the length of a big number; n units cost about as much as n * n references. */
    private static final int BIG_NUMBER_BYTES = 64;

    private static final int MOST_NAMES = 20;

    private final ByteBuffer in;
    private final AllowList allowed;
    private final SerializationLimits limits;
    private final Set<String> missing = new LinkedHashSet<>();
    private final List<Handle> handles = new ArrayList<>();
    private long size;

    private StreamCheck(byte[] data, AllowList allowed, SerializationLimits limits) {
        this.in = ByteBuffer.wrap(data);
        this.allowed = allowed;
        this.limits = limits;
    }

    private static final class Handle {

        /** Size of the object; until the object is read completely, the size of one reference. */
        private long size = REFERENCE;

        private @Nullable StreamClass type;
    }

    private record StreamClass(
            String name,
            int flags,
            int primitiveBytes,
            int objectFields,
            @Nullable StreamClass parent) {

        boolean has(int flag) {
            return (flags & flag) != 0;
        }
    }

    static void check(byte[] data, AllowList allowed, SerializationLimits limits) throws InvalidObjectException {
        StreamCheck check = new StreamCheck(data, allowed, limits);
        InvalidObjectException failure = null;
        try {
            if (check.in.getShort() != ObjectStreamConstants.STREAM_MAGIC
                    || check.in.getShort() != ObjectStreamConstants.STREAM_VERSION) {
                throw damaged("it has no header of Java serialization");
            }
            check.readObject(check.in.get(), 1);
        } catch (BufferUnderflowException e) {
            failure = damaged("it ends too early");
        } catch (InvalidObjectException e) {
            failure = e;
        }
        if (!check.missing.isEmpty()) {
            throw new InvalidObjectException(AllowList.notAllowed(check.missing));
        }
        if (failure != null) {
            throw failure;
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

    private Handle newHandle() {
        Handle handle = new Handle();
        handles.add(handle);
        return handle;
    }

    private Handle readHandle() throws InvalidObjectException {
        int handle = in.getInt() - ObjectStreamConstants.baseWireHandle;
        if (handle < 0 || handle >= handles.size()) {
            throw damaged("it refers to an object that it does not contain");
        }
        return handles.get(handle);
    }

    private void readObject(byte code, int depth) throws InvalidObjectException {
        SerializationLimits.check("depth", depth, limits.depth());
        long before = size;
        count(REFERENCE);
        switch (code) {
            case ObjectStreamConstants.TC_NULL -> {}
            case ObjectStreamConstants.TC_REFERENCE -> count(readHandle().size - REFERENCE);
            case ObjectStreamConstants.TC_STRING -> readString(Short.toUnsignedInt(in.getShort()));
            case ObjectStreamConstants.TC_LONGSTRING -> readString(in.getLong());
            case ObjectStreamConstants.TC_CLASSDESC, ObjectStreamConstants.TC_PROXYCLASSDESC -> readClass(code, depth);
            case ObjectStreamConstants.TC_OBJECT,
                    ObjectStreamConstants.TC_ARRAY,
                    ObjectStreamConstants.TC_ENUM,
                    ObjectStreamConstants.TC_CLASS -> {
                StreamClass type = readClass(in.get(), depth);
                Handle handle = newHandle();
                if (code == ObjectStreamConstants.TC_ENUM) {
                    readObject(in.get(), depth);
                } else if (code != ObjectStreamConstants.TC_CLASS) {
                    if (code == ObjectStreamConstants.TC_OBJECT) {
                        readData(type, depth);
                    } else {
                        readElements(type, depth);
                    }
                    handle.size = size - before;
                }
            }
            default -> throw damaged("it has the unexpected type code " + code);
        }
    }

    private void readString(long bytes) throws InvalidObjectException {
        skip(bytes);
        count(bytes);
        newHandle().size += bytes;
    }

    private void readData(StreamClass type, int depth) throws InvalidObjectException {
        if (type.has(ObjectStreamConstants.SC_EXTERNALIZABLE)) {
            readMore(depth);
            return;
        }
        if (type.parent() != null) {
            readData(type.parent(), depth);
        }
        skip(type.primitiveBytes());
        long before = size;
        for (int i = 0; i < type.objectFields(); i++) {
            readObject(in.get(), depth + 1);
        }
        if (type.name().equals("java.math.BigInteger")) {
            long length = Math.max(0, size - before - 2 * REFERENCE) / BIG_NUMBER_BYTES;
            count(Math.min(length, 1 << 20) * Math.min(length, 1 << 20) * REFERENCE); // No overflow.
        }
        if (type.has(ObjectStreamConstants.SC_WRITE_METHOD)) {
            readMore(depth);
        }
    }

    /** Reads what a class wrote in addition to its fields, including the end mark. */
    private void readMore(int depth) throws InvalidObjectException {
        for (byte code = in.get(); code != ObjectStreamConstants.TC_ENDBLOCKDATA; code = in.get()) {
            switch (code) {
                case ObjectStreamConstants.TC_BLOCKDATA -> skip(Byte.toUnsignedInt(in.get()));
                case ObjectStreamConstants.TC_BLOCKDATALONG -> skip(in.getInt());
                default -> readObject(code, depth + 1);
            }
        }
    }

    private void readElements(StreamClass type, int depth) throws InvalidObjectException {
        int length = in.getInt();
        if (type.name().length() == 2) { // An array of primitives, such as [B.
            long bytes = (long) length * bytesOf(type.name().charAt(1));
            skip(bytes);
            count(bytes);
            return;
        }
        for (int i = 0; i < length; i++) {
            readObject(in.get(), depth + 1);
        }
    }

    private StreamClass readClass(byte code, int depth) throws InvalidObjectException {
        if (code == ObjectStreamConstants.TC_CLASSDESC) {
            return readNewClass(depth);
        }
        if (code == ObjectStreamConstants.TC_PROXYCLASSDESC) {
            throw new InvalidObjectException(JavaSerialization.PROXY);
        }
        StreamClass type = code == ObjectStreamConstants.TC_REFERENCE ? readHandle().type : null;
        if (type == null) {
            throw damaged("it contains an object without a class");
        }
        return type;
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
        Handle handle = newHandle();
        int flags = in.get();
        int primitiveBytes = 0;
        int objectFields = 0;
        for (int left = Short.toUnsignedInt(in.getShort()); left > 0; left--) {
            char type = (char) in.get();
            skip(Short.toUnsignedInt(in.getShort()));
            if (type == 'L' || type == '[') {
                readObject(in.get(), depth); // The name of the field's type, as a string.
                objectFields++;
            } else if ("BCDFIJSZ".indexOf(type) >= 0 && objectFields == 0) {
                primitiveBytes += bytesOf(type);
            } else {
                throw damaged("it contains a field without a type, or a field in the wrong place");
            }
        }
        readMore(depth);
        byte parentCode = in.get();
        StreamClass parent = parentCode == ObjectStreamConstants.TC_NULL ? null : readClass(parentCode, depth + 1);
        handle.type = new StreamClass(name, flags, primitiveBytes, objectFields, parent);
        if (handle.type.has(ObjectStreamConstants.SC_EXTERNALIZABLE)
                && !handle.type.has(ObjectStreamConstants.SC_BLOCK_DATA)) {
            throw damaged("it contains a class in the stream format of Java 1.1");
        }
        return handle.type;
    }

    private String readName() {
        int length = Short.toUnsignedInt(in.getShort());
        int start = in.position();
        skip(length);
        // A non-ASCII name that is not UTF-8 is not allowed.
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
}
