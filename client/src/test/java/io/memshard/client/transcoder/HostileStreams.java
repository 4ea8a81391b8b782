// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamConstants;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Streams in Java serialization that no {@code ObjectOutputStream} writes. */
public final class HostileStreams {

    private static final int HEADER_BYTES = 4;

    /** Handles before the hidden value: those of a class, its object and a string. */
    private static final int HANDLES_BEFORE = 3;

    private static final int NULLS = 1 + 0x80;

    private HostileStreams() {}

    private interface Content {

        void write(DataOutputStream out) throws IOException;
    }

    private static byte[] stream(Content content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeShort(ObjectStreamConstants.STREAM_MAGIC);
            out.writeShort(ObjectStreamConstants.STREAM_VERSION);
            content.write(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void writeClass(DataOutputStream out, String name, long version, int flags) throws IOException {
        out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
        out.writeUTF(name);
        out.writeLong(version);
        out.writeByte(flags);
    }

    private static void endClass(DataOutputStream out) throws IOException {
        out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
        out.writeByte(ObjectStreamConstants.TC_NULL);
    }

    /** Lists in lists, each of which claims a length that it has not. */
    static byte[] claimingLists(int depth, int length) {
        return stream(out -> {
            for (int i = 0; i < depth; i++) {
                out.writeByte(ObjectStreamConstants.TC_OBJECT);
                if (i == 0) {
                    writeClass(out, "java.util.ArrayList", 8683452581122892189L, 3);
                    out.writeShort(1);
                    out.writeByte('I');
                    out.writeUTF("size");
                    endClass(out);
                } else {
                    out.writeByte(ObjectStreamConstants.TC_REFERENCE);
                    out.writeInt(ObjectStreamConstants.baseWireHandle);
                }
                out.writeInt(length);
                out.writeByte(ObjectStreamConstants.TC_BLOCKDATA);
                out.writeByte(Integer.BYTES);
                out.writeInt(length);
            }
            for (int i = 0; i < depth; i++) {
                out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
            }
        });
    }

    /** A class whose superclass has a superclass, and so on. */
    public static byte[] superclasses(int count) {
        return stream(out -> {
            out.writeByte(ObjectStreamConstants.TC_OBJECT);
            for (int i = 0; i < count; i++) {
                writeClass(out, "java.util.A" + i, 1, ObjectStreamConstants.SC_SERIALIZABLE);
                out.writeShort(0);
                out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
            }
            out.writeByte(ObjectStreamConstants.TC_NULL);
        });
    }

    /** A class with a {@code readObject} method that reads an object in place of its fields. */
    static final class Careless implements Serializable {

        private static final long serialVersionUID = 1;

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            while (in.readObject() != null) {
                // The next one.
            }
        }
    }

    /** A value in a class of the JDK that reads objects in place of its fields. */
    static byte[] hiddenInAQueue(byte[] value) {
        return hidden("java.util.concurrent.LinkedTransferQueue", -3223113410248163686L, value);
    }

    /** A value in a class of an application that reads objects in place of its fields. */
    static byte[] hidden(byte[] value) {
        return hidden(Careless.class.getName(), 1, value);
    }

    /**
     * An object that hides another value. Its class announces a field of eight bytes. In place of it the class reads an
     * object: a string, whose end looks like the start of a block of bytes. That block is the value.
     */
    private static byte[] hidden(String holder, long version, byte[] value) {
        byte[] content = Arrays.copyOfRange(value, HEADER_BYTES, value.length + NULLS);
        Arrays.fill(content, content.length - NULLS, content.length, ObjectStreamConstants.TC_NULL);
        ByteBuffer handles = ByteBuffer.wrap(content);
        byte[] reference = {ObjectStreamConstants.TC_REFERENCE, 0, 0x7e};
        for (int at = 0; at + 5 <= content.length; at++) {
            if (Arrays.equals(content, at, at + 3, reference, 0, 3)) {
                handles.putShort(at + 3, (short) (handles.getShort(at + 3) + HANDLES_BEFORE));
            }
        }
        return stream(out -> {
            out.writeByte(ObjectStreamConstants.TC_OBJECT);
            writeClass(out, holder, version, 3);
            out.writeShort(1);
            out.writeByte('J');
            out.writeUTF("field");
            endClass(out);
            out.writeByte(ObjectStreamConstants.TC_STRING);
            out.writeShort(10);
            out.write(new byte[5]);
            out.writeByte(ObjectStreamConstants.TC_BLOCKDATALONG);
            // This number is a part of the string, in which no byte is above 127.
            int length = content.length - (content.length & 0x80);
            out.writeInt(length);
            out.write(content, 0, length);
            out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
        });
    }

    /** The bytes of a map or set with another load factor, which is the only one in them. */
    static byte[] loadFactor(byte[] data, float honest, float other) {
        byte[] before = ByteBuffer.allocate(4).putFloat(honest).array();
        List<Integer> found = new ArrayList<>();
        for (int at = 0; at + 4 <= data.length; at++) {
            if (Arrays.equals(data, at, at + 4, before, 0, 4)) {
                found.add(at);
            }
        }
        if (found.size() != 1) {
            throw new IllegalArgumentException(found.size() + " load factors");
        }
        byte[] changed = data.clone();
        ByteBuffer.wrap(changed).putFloat(found.get(0), other);
        return changed;
    }
}
