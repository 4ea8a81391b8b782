// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.serialization;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.NotSerializableException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Writer and reader of objects of allowed classes.
 *
 * <p>A stream passes three checks:
 *
 * <ol>
 *   <li>{@link StreamCheck} parses the stream before the JDK does. This check refuses names that are not allowed, and
 *       graphs that are too deep or too large. Written streams pass this check too, so every written value can be read.
 *   <li>{@code resolveClass} refuses names before a class is looked up. An {@link ObjectInputFilter} is called later,
 *       when the class is already loaded.
 *   <li>The {@link ObjectInputFilter} refuses arrays and hash tables that are too large, before the JDK allocates them.
 *       The filter also limits depth and references, as the JDK counts them. A filter of the whole JVM ({@code
 *       jdk.serialFilter}) still applies.
 * </ol>
 *
 * <p>If {@code readResolve} of an allowed class replaces an object, the class of the new object is not checked.
 *
 * <p>Threading: thread-safe.
 */
public final class ObjectSerializer {

    static final String PROXY = "Java serialization of proxies is not allowed";

    /** True in a native image, which has no class files, and whose class loader does not keep names. */
    private static final boolean IS_NATIVE_IMAGE = System.getProperty("org.graalvm.nativeimage.imagecode") != null;

    /**
     * Maximum number of elements in all arrays and hash tables, for each byte of a stream. In the JDK, a hash table has
     * at most 1.6 elements per byte.
     */
    private static final long ELEMENTS_PER_BYTE = 2;

    /** Number of elements that are allowed in addition, for the smallest hash tables. */
    private static final int SPARE_ELEMENTS = 1024;

    private final AllowList allowed;
    private final @Nullable ClassLoader classLoader;
    private final SerializationLimits limits;

    /** Cache of classes by name, because looking up a class takes longer than reading a small object. */
    private final Map<String, Class<?>> known = new ConcurrentHashMap<>();

    /** Creates a serializer. A null {@code classLoader} stands for the bootstrap class loader of the JDK. */
    public ObjectSerializer(
            List<String> names, boolean logsOthers, @Nullable ClassLoader classLoader, SerializationLimits limits) {
        this.allowed = new AllowList(names, logsOthers);
        this.classLoader = classLoader;
        this.limits = limits;
    }

    /**
     * Returns the bytes of {@code value}.
     *
     * @throws IllegalArgumentException if {@link #read} would refuse the bytes, or if an object in the value is not
     *     serializable. The cause is a {@link SerializationLimits.ExceededException} if the value is above the limits
     */
    public byte[] write(Object value) {
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(data)) {
            out.writeObject(value);
            out.flush();
            byte[] written = data.toByteArray();
            StreamCheck.check(written, allowed, limits);
            return written;
        } catch (IOException e) {
            String reason =
                    e.getMessage() + (e instanceof NotSerializableException ? " does not implement Serializable" : "");
            throw new IllegalArgumentException(
                    "a " + value.getClass().getName() + " cannot be serialized: " + reason, e);
        }
    }

    public Object read(byte[] data) throws InvalidObjectException {
        StreamCheck.check(data, allowed, limits);
        Gate gate = new Gate(data.length);
        Object value;
        try (CheckedInput in = new CheckedInput(data, gate)) {
            value = in.readObject();
        } catch (IOException
                | ClassNotFoundException
                | LinkageError
                | RuntimeException
                | InternalError
                | StackOverflowError e) {
            // Code of the classes runs while they are read, and the writer of the bytes can make it fail in any way.
            // Map.of throws an InternalError where a key has no value.
            throw unreadable(gate.reason, e);
        }
        if (value == null) {
            throw new InvalidObjectException("the value is null in Java serialization");
        }
        return value;
    }

    private static InvalidObjectException unreadable(@Nullable String reason, Throwable cause) {
        String hint = cause instanceof InvalidClassException
                ? "; if its class has changed, restore its serialVersionUID, delete the item, or use"
                        + " another key prefix"
                : "";
        InvalidObjectException unreadable = new InvalidObjectException(
                reason != null
                        ? reason
                        : "the value cannot be deserialized: "
                                + cause.getClass().getName() + hint);
        unreadable.initCause(cause);
        return unreadable;
    }

    /**
     * Returns the class with this name. Asks the class loader only for classes that have a class file. Otherwise the
     * class loader would permanently keep each name in a hostile stream.
     */
    private Class<?> find(String name) throws ClassNotFoundException {
        Class<?> before = known.get(name);
        if (before != null) {
            return before;
        }
        int dimensions = name.lastIndexOf('[') + 1;
        boolean isPrimitive = dimensions > 0 && name.length() == dimensions + 1;
        if (classLoader != null && !IS_NATIVE_IMAGE && !isPrimitive) {
            String element = dimensions == 0 ? name : name.substring(dimensions + 1, name.length() - 1);
            if (classLoader.getResource(element.replace('.', '/') + ".class") == null) {
                throw new ClassNotFoundException("no such class in the class loader");
            }
        }
        Class<?> found = Class.forName(name, false, classLoader);
        known.put(name, found);
        return found;
    }

    /** Third check of a stream, while the JDK reads it. Confined to the reading thread. */
    private final class Gate implements ObjectInputFilter {

        private final long mostElements;
        private long elements;
        private @Nullable String reason;

        Gate(int streamBytes) {
            this.mostElements = SPARE_ELEMENTS + ELEMENTS_PER_BYTE * streamBytes;
        }

        @Override
        public Status checkInput(FilterInfo info) {
            elements += Math.max(0, info.arrayLength());
            try {
                SerializationLimits.check("depth", info.depth(), limits.depth());
                SerializationLimits.check("references", info.references(), limits.references());
                SerializationLimits.check("array elements", elements, mostElements);
                return Status.UNDECIDED;
            } catch (InvalidObjectException e) {
                reason = e.getMessage();
                return Status.REJECTED;
            }
        }
    }

    private final class CheckedInput extends ObjectInputStream {

        private final Gate gate;

        @SuppressWarnings("this-escape") // The method is final.
        CheckedInput(byte[] data, Gate gate) throws IOException {
            super(new ByteArrayInputStream(data));
            this.gate = gate;
            setObjectInputFilter(ObjectInputFilter.merge(gate, ObjectInputFilter.Config.getSerialFilter()));
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass described) throws IOException, ClassNotFoundException {
            String name = described.getName();
            if (!allowed.allows(name)) {
                gate.reason = AllowList.notAllowed(List.of(name));
                throw new InvalidClassException(name);
            }
            return find(name);
        }

        @Override
        protected Class<?> resolveProxyClass(String[] interfaces) throws IOException {
            gate.reason = PROXY;
            throw new InvalidClassException("proxy");
        }
    }
}
