// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;

/**
 * Turns an abstract class that implements a part of an interface into one that can be instantiated.
 *
 * <p>The interfaces of JDBC have 500 methods, of which pools call 50. A dynamic proxy would be measured too. So the
 * stubs are abstract classes with those 50, and this class writes the class file of a subclass that adds a constructor
 * and nothing else. A method that is missing throws {@link AbstractMethodError} when it is called, which names it.
 *
 * <p>Threading: stateless.
 */
final class Complete {

    private static final int MAGIC = 0xCAFEBABE;
    private static final int JAVA_17 = 61;

    /** Entries of the constant pool, see chapter 4.4 of the specification of the Java virtual machine. */
    private static final int UTF8 = 1;

    private static final int CLASS = 7;
    private static final int METHOD = 10;
    private static final int NAME_AND_TYPE = 12;

    private static final int ALOAD = 0x19;
    private static final int INVOKESPECIAL = 0xB7;
    private static final int RETURN = 0xB1;

    private Complete() {}

    /**
     * The constructor of a subclass of {@code type}, which must have one constructor, with references as parameters.
     *
     * @param lookup of {@code type}'s package
     * @return takes what that constructor takes and gives a {@code type}
     */
    static MethodHandle constructor(MethodHandles.Lookup lookup, Class<?> type) {
        Constructor<?> constructor = type.getDeclaredConstructors()[0];
        MethodType arguments = MethodType.methodType(void.class, constructor.getParameterTypes());
        try {
            Class<?> complete = lookup.defineClass(classFile(type, arguments));
            return lookup.findConstructor(complete, arguments).asType(arguments.changeReturnType(type));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot complete " + type.getName(), e);
        }
    }

    private static byte[] classFile(Class<?> type, MethodType arguments) throws IOException {
        String parent = type.getName().replace('.', '/');
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(MAGIC);
        out.writeShort(0);
        out.writeShort(JAVA_17);
        out.writeShort(10); // one more than there are constants
        utf8(out, parent + "Complete"); // 1
        one(out, CLASS, 1); // 2
        utf8(out, parent); // 3
        one(out, CLASS, 3); // 4
        utf8(out, "<init>"); // 5
        utf8(out, arguments.toMethodDescriptorString()); // 6
        two(out, NAME_AND_TYPE, 5, 6); // 7
        two(out, METHOD, 4, 7); // 8
        utf8(out, "Code"); // 9
        out.writeShort(Modifier.FINAL | 0x20); // ACC_SUPER, which every class has
        out.writeShort(2); // this class
        out.writeShort(4); // its parent
        out.writeShort(0); // interfaces
        out.writeShort(0); // fields
        out.writeShort(1); // methods
        out.writeShort(0); // package-private
        out.writeShort(5);
        out.writeShort(6);
        out.writeShort(1); // attributes
        code(out, arguments.parameterCount() + 1);
        out.writeShort(0); // attributes of the class
        return bytes.toByteArray();
    }

    /** Hands {@code this} and every argument to the parent's constructor. */
    private static void code(DataOutputStream out, int variables) throws IOException {
        int length = 2 * variables + 4;
        out.writeShort(9);
        out.writeInt(length + 12);
        out.writeShort(variables); // stack
        out.writeShort(variables); // locals
        out.writeInt(length);
        for (int i = 0; i < variables; i++) {
            out.writeByte(ALOAD);
            out.writeByte(i);
        }
        out.writeByte(INVOKESPECIAL);
        out.writeShort(8);
        out.writeByte(RETURN);
        out.writeShort(0); // exceptions
        out.writeShort(0); // attributes
    }

    private static void utf8(DataOutputStream out, String text) throws IOException {
        out.writeByte(UTF8);
        out.writeUTF(text);
    }

    private static void one(DataOutputStream out, int kind, int index) throws IOException {
        out.writeByte(kind);
        out.writeShort(index);
    }

    private static void two(DataOutputStream out, int kind, int first, int second) throws IOException {
        out.writeByte(kind);
        out.writeShort(first);
        out.writeShort(second);
    }
}
