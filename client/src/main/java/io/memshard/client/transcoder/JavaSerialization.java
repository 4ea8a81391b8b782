package io.memshard.client.transcoder;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamException;
import java.io.OutputStream;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Java serialization of the classes that are allowed by name, for {@link
 * CompatibleTranscoder#javaSerialization}.
 *
 * <p>A program that can write to memcached chooses which classes are instantiated on reading, and so which of their
 * code runs. So only named classes pass, in both directions. Superclasses and element types need naming too, except
 * {@code Object}, {@code Number}, {@code Enum} and primitives. Proxies never pass. The depth of the object graph, its
 * references and the length of its arrays are limited, also in both directions. A filter of the whole JVM ({@code
 * jdk.serialFilter}) still applies.
 *
 * <p>A written value that may be above a limit is read once to find out. That is so if it has as many objects, other
 * than text and boxed primitives, as the limit of depth. It is also so, with the default limits, above 100,000 bytes.
 *
 * <p>Threading: immutable.
 */
public final class JavaSerialization {

    private static final int DEFAULT_DEPTH = 20;
    private static final int DEFAULT_REFERENCES = 100_000;
    private static final int DEFAULT_ARRAY_LENGTH = 1_000_000;

    private final AllowList allowed;
    private final @Nullable ClassLoader classLoader;
    private final Limits limits;

    private JavaSerialization(AllowList allowed, @Nullable ClassLoader classLoader, Limits limits) {
        this.allowed = allowed;
        this.classLoader = classLoader;
        this.limits = limits;
    }

    private record Limits(int depth, int references, int arrayLength) {

        Limits {
            if (depth < 1 || references < 1 || arrayLength < 0) {
                throw new IllegalArgumentException("limits are " + depth + ", " + references + " and " + arrayLength
                        + ": depth and references are at least 1, the array length at least 0");
            }
        }

        /**
         * Whether a written value may be above a limit. Its depth is at most one more than {@code nesting}. A reference
         * takes at least one byte, and so does an element of an array. The tables that the JDK's collections make when
         * they are read have at most eight places for each byte.
         *
         * @param nesting how many of its objects can hold others
         */
        boolean mayBeExceeded(int nesting, int bytes) {
            return nesting >= depth || bytes > references || bytes > arrayLength / 8;
        }

        /** The limit that it exceeds; null if none. */
        @Nullable
        String exceededLimit(ObjectInputFilter.FilterInfo info) {
            if (info.depth() > depth) {
                return "depth " + info.depth() + " of " + depth;
            }
            if (info.references() > references) {
                return "references " + info.references() + " of " + references;
            }
            return info.arrayLength() > arrayLength
                    ? "array length " + info.arrayLength() + " of " + arrayLength
                    : null;
        }
    }

    /**
     * Serialization of these classes and no others. The context class loader of the calling thread finds them.
     *
     * @param names classes ({@code com.example.Order}, {@code com.example.Order$Line}), packages ({@code
     *     com.example.*}), or packages with their subpackages ({@code com.example.**})
     */
    public static JavaSerialization allowing(String... names) {
        return new JavaSerialization(
                new AllowList(List.of(names)),
                Thread.currentThread().getContextClassLoader(),
                new Limits(DEFAULT_DEPTH, DEFAULT_REFERENCES, DEFAULT_ARRAY_LENGTH));
    }

    /** The same with another class loader. */
    public JavaSerialization classLoader(ClassLoader other) {
        return new JavaSerialization(allowed, Objects.requireNonNull(other, "class loader is null"), limits);
    }

    /**
     * The same with other limits than 20, 100,000 and 1,000,000 for what is read and written.
     *
     * @param depth how deep objects may be nested
     * @param references how many references there may be
     * @param arrayLength how many elements an array, or the table of a collection, may have
     */
    public JavaSerialization limits(int depth, int references, int arrayLength) {
        return new JavaSerialization(allowed, classLoader, new Limits(depth, references, arrayLength));
    }

    /**
     * The bytes of {@code value}.
     *
     * @throws IllegalArgumentException if it, or something in it, is not allowed or not serializable, or if it is
     *     above a limit
     */
    byte[] write(Object value) {
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        int nesting;
        try (AllowedOutput out = new AllowedOutput(data)) {
            out.writeObject(value);
            nesting = out.nesting;
        } catch (IOException e) {
            throw unwritable(value, e.getMessage(), e);
        }
        byte[] written = data.toByteArray();
        if (limits.mayBeExceeded(nesting, written.length)) {
            checkLimits(value, written);
        }
        return written;
    }

    /** Reads what was written, because only reading counts exactly. */
    private void checkLimits(Object value, byte[] written) {
        Gate gate = new Gate();
        try {
            read(written, gate);
        } catch (UnreadableValueException e) {
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
    Object read(byte[] data) throws UnreadableValueException {
        return read(data, new Gate());
    }

    private Object read(byte[] data, Gate gate) throws UnreadableValueException {
        try (AllowedInput in = new AllowedInput(new ByteArrayInputStream(data), gate)) {
            Object value = in.readObject();
            if (value == null) {
                throw new UnreadableValueException("the value is null in Java serialization");
            }
            return value;
        } catch (IOException | ClassNotFoundException | LinkageError | RuntimeException | StackOverflowError e) {
            // Code of the classes runs while they are read, and the writer of the bytes can make it fail in any way.
            String reason = gate.reason;
            throw new UnreadableValueException(
                    reason != null
                            ? reason
                            : "the value cannot be deserialized: "
                                    + e.getClass().getName(),
                    e);
        }
    }

    private static String notAllowed(Class<?> type) {
        return "Java serialization of " + type.getName() + " is not allowed: name it in JavaSerialization.allowing";
    }

    /** Decides what one stream may contain, and keeps why it rejected something. Confined to the reading thread. */
    private final class Gate implements ObjectInputFilter {

        private @Nullable String reason;

        @Override
        public Status checkInput(FilterInfo info) {
            Class<?> type = info.serialClass();
            String exceeded = limits.exceededLimit(info);
            if (exceeded != null) {
                reason = "the value in Java serialization is above the limits of JavaSerialization: " + exceeded;
            } else if (type == null) {
                return Status.UNDECIDED;
            } else if (allowed.allows(type)) {
                return Status.ALLOWED;
            } else {
                reason = notAllowed(type);
            }
            return Status.REJECTED;
        }
    }

    private final class AllowedInput extends ObjectInputStream {

        private final Gate gate;

        AllowedInput(InputStream in, Gate gate) throws IOException {
            super(in);
            this.gate = gate;
            setObjectInputFilter(ObjectInputFilter.merge(gate, ObjectInputFilter.Config.getSerialFilter()));
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass described) throws ClassNotFoundException {
            return Class.forName(described.getName(), false, classLoader);
        }

        @Override
        protected Class<?> resolveProxyClass(String[] interfaces) throws IOException {
            gate.reason = "Java serialization of proxies is not allowed";
            throw new InvalidClassException("proxy");
        }
    }

    /** Rejects what could not be read. */
    private final class AllowedOutput extends ObjectOutputStream {

        /** Whether the stream has failed, and now writes its own exception. */
        private boolean failed;

        /** How many of the written objects can hold others. */
        private int nesting;

        @SuppressWarnings("this-escape") // The method is final.
        AllowedOutput(OutputStream out) throws IOException {
            super(out);
            enableReplaceObject(true);
        }

        /** Replaces nothing, but counts: it is called once for each object. */
        @Override
        protected Object replaceObject(Object written) {
            if (!isLeaf(written)) {
                nesting++;
            }
            return written;
        }

        private static boolean isLeaf(Object written) {
            return written instanceof String
                    || written instanceof Integer
                    || written instanceof Long
                    || written instanceof Double
                    || written instanceof Boolean
                    || written instanceof Character
                    || written instanceof Float
                    || written instanceof Short
                    || written instanceof Byte;
        }

        @Override
        protected void annotateClass(Class<?> type) throws IOException {
            failed |= ObjectStreamException.class.isAssignableFrom(type);
            if (!failed && !allowed.allows(type)) {
                throw new InvalidClassException(notAllowed(type));
            }
        }

        @Override
        protected void annotateProxyClass(Class<?> type) throws IOException {
            throw new InvalidClassException("proxies are not allowed");
        }
    }
}
