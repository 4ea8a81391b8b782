// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.faults;

import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Loads the client anew, rewritten so that an Error can happen at each entry of a method, each allocation and each call
 * of another library that may allocate, park, unpark or start a thread. Of this package, only {@link Trial} is loaded
 * anew.
 *
 * <p>Left out are class initializers, because a class whose initializer failed never works again, and calls that the
 * JVM compiles to a few instructions of their own.
 */
final class FaultyClassLoader extends ClassLoader {

    private static final String CLIENT = "io.memshard.client.";
    private static final String TESTS = FaultyClassLoader.class.getPackageName() + ".";
    private static final String OURS = "io/memshard/client/";
    private static final String POINTS = Type.getInternalName(FaultPoints.class);

    /** Owners of methods that allocate nothing. */
    private static final Set<String> WITHOUT_ALLOCATION = Set.of(
            "java/util/concurrent/atomic/AtomicInteger",
            "java/util/concurrent/atomic/AtomicLong",
            "java/util/concurrent/atomic/AtomicBoolean",
            "java/util/concurrent/atomic/AtomicReference",
            "java/lang/invoke/VarHandle",
            "java/lang/Math",
            "java/lang/System",
            "java/lang/Thread",
            "java/lang/Object");

    /** The first method of the timer's thread: its stack cannot be used up there. */
    private static final String TIMER = "connection.ClientThreads.runTimer";

    FaultyClassLoader() {
        super(FaultyClassLoader.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded == null) {
                loaded = isLoadedHere(name) ? define(name) : super.loadClass(name, false);
            }
            if (resolve) {
                resolveClass(loaded);
            }
            return loaded;
        }
    }

    private static boolean isLoadedHere(String name) {
        return name.startsWith(TESTS) ? name.startsWith(Trial.class.getName()) : name.startsWith(CLIENT);
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        String file = name.replace('.', '/') + ".class";
        try (InputStream in = getParent().getResourceAsStream(file)) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = in.readAllBytes();
            byte[] rewritten = name.startsWith(TESTS) ? bytes : rewritten(bytes);
            return defineClass(name, rewritten, 0, rewritten.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private static byte[] rewritten(byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        String className = reader.getClassName().substring(OURS.length()).replace('/', '.');
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access, String name, String descriptor, String signature, String[] exceptions) {
                        MethodVisitor out = super.visitMethod(access, name, descriptor, signature, exceptions);
                        return name.equals("<clinit>") ? out : new Rewriter(out, className + "." + name);
                    }
                },
                0);
        return writer.toByteArray();
    }

    private static final class Rewriter extends MethodVisitor {

        private final String method;

        Rewriter(MethodVisitor out, String method) {
            super(Opcodes.ASM9, out);
            this.method = method;
        }

        private void point(int kind) {
            super.visitLdcInsn(kind);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, POINTS, "reached", "(I)V", false);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            if (!method.equals(TIMER)) {
                point(FaultPoints.METHOD);
            }
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            if (opcode == Opcodes.ANEWARRAY) {
                point(FaultPoints.ALLOCATION);
            }
            super.visitTypeInsn(opcode, type);
            if (opcode == Opcodes.NEW) {
                // After it, because frames refer to the place of the instruction itself.
                point(FaultPoints.ALLOCATION);
            }
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            if (opcode == Opcodes.NEWARRAY) {
                point(FaultPoints.ALLOCATION);
            }
            super.visitIntInsn(opcode, operand);
        }

        @Override
        public void visitInvokeDynamicInsn(
                String name, String descriptor, Handle bootstrap, Object... bootstrapArguments) {
            point(FaultPoints.ALLOCATION);
            super.visitInvokeDynamicInsn(name, descriptor, bootstrap, bootstrapArguments);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            if (owner.equals("java/util/concurrent/locks/LockSupport")) {
                point(FaultPoints.METHOD);
            } else if (!owner.startsWith(OURS) && !name.equals("<init>") && !WITHOUT_ALLOCATION.contains(owner)) {
                // Calls of the client's own methods need no point: the entry of the method is one.
                point(FaultPoints.ALLOCATION);
            }
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        }
    }
}
