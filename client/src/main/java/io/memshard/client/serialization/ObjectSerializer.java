// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.serialization;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.NotSerializableException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Writer and reader of objects of allowed classes.
 *
 * <p>Threading: thread-safe.
 */
public final class ObjectSerializer {

    /** A native image has no class files, and no loader that keeps names. */
    private static final boolean IS_NATIVE_IMAGE = System.getProperty("org.graalvm.nativeimage.imagecode") != null;

    private final AllowList allowed;
    private final @Nullable ClassLoader classLoader;
    private final SerializationLimits limits;

    /** Classes that were found, by their names: looking for one takes longer than reading a small object. */
    private final Map<String, Class<?>> known = new ConcurrentHashMap<>();

    /** Of each class that was written, by its name: whether a value with it is read before it is written. */
    private final Map<String, Boolean> resolving = new ConcurrentHashMap<>();

    public ObjectSerializer(List<String> names, @Nullable ClassLoader classLoader, SerializationLimits limits) {
        this.allowed = new AllowList(names);
        this.classLoader = classLoader;
        this.limits = limits;
    }

    /**
     * The bytes of {@code value}.
     *
     * @throws IllegalArgumentException if it, or something in it, is not allowed or not serializable, or if it is
     *     above a limit
     */
    public byte[] write(Object value) {
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        boolean mayBecomeAnotherClass;
        try (AllowedOutput out = new AllowedOutput(data)) {
            out.writeObject(value);
            mayBecomeAnotherClass = out.resolves;
        } catch (NotSerializableException e) {
            throw unwritable(value, e.getMessage() + " does not implement Serializable", e);
        } catch (IOException e) {
            throw unwritable(value, e.getMessage(), e);
        }
        byte[] written = data.toByteArray();
        try {
            StreamCheck.check(written, allowed, limits);
        } catch (InvalidObjectException e) {
            throw unwritable(value, e.getMessage(), e);
        }
        if (mayBecomeAnotherClass || limits.mayExceedArrayLength(written.length)) {
            checkReading(value, written);
        }
        return written;
    }

    /** Reads what was written: only that counts the tables of its collections, and shows what it becomes. */
    private void checkReading(Object value, byte[] written) {
        Gate gate = new Gate(written.length);
        try {
            read(written, gate);
        } catch (InvalidObjectException e) {
            // Any other failure may be of this process alone, for example of its class loader.
            if (gate.reason != null) {
                throw unwritable(value, gate.reason, e);
            }
        }
    }

    private static IllegalArgumentException unwritable(Object value, @Nullable String reason, Exception cause) {
        return new IllegalArgumentException(
                "a " + value.getClass().getName() + " cannot be serialized: " + reason, cause);
    }

    /** The object of these bytes. */
    public Object read(byte[] data) throws InvalidObjectException {
        StreamCheck.check(data, allowed, limits);
        return read(data, new Gate(data.length));
    }

    private Object read(byte[] data, Gate gate) throws InvalidObjectException {
        Object value;
        try (AllowedInput in = new AllowedInput(new BytesInput(data), gate)) {
            value = in.readObject();
        } catch (IOException | ClassNotFoundException | LinkageError | RuntimeException | StackOverflowError e) {
            // Code of the classes runs while they are read, and the writer of the bytes can make it fail in any way.
            String reason = gate.reason;
            InvalidObjectException unreadable = new InvalidObjectException(
                    reason != null
                            ? reason
                            : "the value cannot be deserialized: "
                                    + e.getClass().getName()
                                    + (e instanceof InvalidClassException
                                            ? "; if its class has changed, give that the serialVersionUID of before,"
                                                    + " delete the item, or take another key prefix"
                                            : ""));
            unreadable.initCause(e);
            throw unreadable;
        }
        if (value == null) {
            throw new InvalidObjectException("the value is null in Java serialization");
        }
        return value;
    }

    /**
     * The class of that name. A class loader keeps each name that it is asked for, for ever. So it is asked for its own
     * classes only, whatever names a stream has.
     */
    private Class<?> find(String name) throws ClassNotFoundException {
        Class<?> before = known.get(name);
        if (before != null) {
            return before;
        }
        if (classLoader != null && !IS_NATIVE_IMAGE) {
            String element = name.substring(name.lastIndexOf('[') + 1);
            boolean isArray = !element.equals(name);
            if (!isArray || element.length() > 1) {
                String file = isArray ? element.substring(1, element.length() - 1) : element;
                if (classLoader.getResource(file.replace('.', '/') + ".class") == null) {
                    throw new ClassNotFoundException("no such class in the class loader");
                }
            }
        }
        Class<?> found = Class.forName(name, false, classLoader);
        known.put(name, found);
        return found;
    }

    /** Decides what one stream may contain, and keeps why it rejected something. Confined to the reading thread. */
    private final class Gate implements ObjectInputFilter {

        private final int streamBytes;
        private long arrayBytes;
        private int mostConstants;
        private @Nullable String reason;

        Gate(int streamBytes) {
            this.streamBytes = streamBytes;
        }

        @Override
        public Status checkInput(FilterInfo info) {
            Class<?> type = info.serialClass();
            try {
                limits.checkDepth(info.depth());
                limits.checkReferences(info.references());
                if (type == null) {
                    return Status.UNDECIDED;
                }
                if (info.arrayLength() >= 0) {
                    limits.checkArrayLength(info.arrayLength());
                    countArrayBytes(info.arrayLength() * elementBytes(type));
                }
            } catch (InvalidObjectException e) {
                reason = e.getMessage();
                return Status.REJECTED;
            }
            if (!allowed.allows(type)) {
                reason = AllowList.notAllowed(type.getName());
                return Status.REJECTED;
            }
            if (type.isEnum()) {
                mostConstants = Math.max(mostConstants, type.getEnumConstants().length);
            }
            return Status.ALLOWED;
        }

        /** Counts what the JDK lets no filter count: the table of an EnumMap has a place for each constant. */
        void countTable(Object read) throws InvalidObjectException {
            if (read instanceof EnumMap) {
                try {
                    countArrayBytes((long) mostConstants * Integer.BYTES);
                } catch (InvalidObjectException e) {
                    reason = e.getMessage();
                    throw new InvalidObjectException("table");
                }
            }
        }

        private void countArrayBytes(long bytes) throws InvalidObjectException {
            arrayBytes += bytes;
            limits.checkArrayBytes(arrayBytes, streamBytes);
        }

        private static long elementBytes(Class<?> array) {
            return array.isArray() ? StreamClass.bytesOf(array.getName().charAt(1)) : Integer.BYTES;
        }
    }

    private final class AllowedInput extends ObjectInputStream {

        private final Gate gate;

        @SuppressWarnings("this-escape") // The method is final.
        AllowedInput(InputStream in, Gate gate) throws IOException {
            super(in);
            this.gate = gate;
            setObjectInputFilter(ObjectInputFilter.merge(gate, ObjectInputFilter.Config.getSerialFilter()));
            enableResolveObject(true);
        }

        /** Replaces nothing, but counts: it is called once for each object. */
        @Override
        protected Object resolveObject(Object read) throws IOException {
            gate.countTable(read);
            return read;
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass described) throws ClassNotFoundException {
            return find(described.getName());
        }

        @Override
        protected Class<?> resolveProxyClass(String[] interfaces) throws IOException {
            gate.reason = "Java serialization of proxies is not allowed";
            throw new InvalidClassException("proxy");
        }
    }

    /** Whether an object of {@code type} may become one of a class on reading that is not allowed. */
    private boolean mayResolve(Class<?> type) {
        return resolving.computeIfAbsent(
                type.getName(), name -> hasReadResolve(type) && !allowed.allowsWhatBecomesOf(name));
    }

    private static boolean hasReadResolve(Class<?> type) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            if (Arrays.stream(each.getDeclaredMethods())
                    .anyMatch(method -> method.getName().equals("readResolve") && method.getParameterCount() == 0)) {
                return true;
            }
        }
        return false;
    }

    /** Rejects what could not be read. */
    private final class AllowedOutput extends ObjectOutputStream {

        /** Whether the stream has failed, and now writes its own exception. */
        private boolean failed;

        /** Whether it has a class that may become another one on reading. */
        private boolean resolves;

        AllowedOutput(OutputStream out) throws IOException {
            super(out);
        }

        @Override
        protected void annotateClass(Class<?> type) throws IOException {
            failed |= ObjectStreamException.class.isAssignableFrom(type);
            if (!failed && !allowed.allows(type)) {
                throw new InvalidClassException(AllowList.notAllowed(type.getName()));
            }
            resolves |= mayResolve(type);
        }

        @Override
        protected void annotateProxyClass(Class<?> type) throws IOException {
            throw new InvalidClassException("proxies are not allowed");
        }
    }
}
