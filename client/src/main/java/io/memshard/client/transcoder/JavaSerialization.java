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
 * <p>Whoever can write to memcached chooses which classes reading makes instances of, and so which of their
 * code runs. So only classes that were named pass, in both directions; superclasses and element types
 * need naming too, but for {@code Object}, {@code Number}, {@code Enum} and primitives. Proxies never pass. The
 * depth of the object graph, its references and the length of its arrays are bounded, in both directions too. A filter
 * of the whole JVM ({@code jdk.serialFilter}) goes on refusing what it refuses.
 *
 * <p>Where a value that was written may be above a limit it is read once to find out: where it has as many objects
 * other than text and boxed primitives as it may be deep, or, with the default limits, more than 100,000 bytes.
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
         * Whether what was written may be above a limit: none is deeper than its objects and what they end in, and a
         * reference takes a byte at least, and so does a place in an array. The tables that the JDK's collections make
         * when they are read have at most eight places for each byte.
         *
         * @param nesting how many objects there are that others may be in
         */
        boolean mayBeExceeded(int nesting, int bytes) {
            return nesting >= depth || bytes > references || bytes > arrayLength / 8;
        }

        /** Which limit it is above; null if none. */
        @Nullable
        String exceeded(ObjectInputFilter.FilterInfo info) {
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
     * Serialization of these classes and no others, found by the context class loader of the thread that calls
     * this.
     *
     * @param names classes ({@code com.example.Order}, {@code com.example.Order$Line}), packages ({@code
     *     com.example.*}), or packages with those below ({@code com.example.**})
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
     * @param depth how deep objects are nested
     * @param references how many there are
     * @param arrayLength how many elements an array, and the table of a collection, has
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

    /** Reads what was written, since only that counts exactly as reading will. */
    private void checkLimits(Object value, byte[] written) {
        Gate gate = new Gate();
        try {
            read(written, gate);
        } catch (UnreadableValueException e) {
            // What else there is may be so in this process alone, as a class loader is.
            if (gate.refusal != null) {
                throw unwritable(value, gate.refusal, e);
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
            // What classes do while they are read is theirs, and can be provoked by whoever wrote the bytes.
            String refusal = gate.refusal;
            throw new UnreadableValueException(
                    refusal != null
                            ? refusal
                            : "the value cannot be deserialized: "
                                    + e.getClass().getName(),
                    e);
        }
    }

    private static String refusal(Class<?> type) {
        return "Java serialization of " + type.getName() + " is not allowed: name it in JavaSerialization.allowing";
    }

    /** Says what passes into one stream, and why something did not. Confined to the reading thread. */
    private final class Gate implements ObjectInputFilter {

        private @Nullable String refusal;

        @Override
        public Status checkInput(FilterInfo info) {
            Class<?> type = info.serialClass();
            String exceeded = limits.exceeded(info);
            if (exceeded != null) {
                refusal = "the value in Java serialization is above the limits of JavaSerialization: " + exceeded;
            } else if (type == null) {
                return Status.UNDECIDED;
            } else if (allowed.allows(type)) {
                return Status.ALLOWED;
            } else {
                refusal = refusal(type);
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
            gate.refusal = "Java serialization of proxies is not allowed";
            throw new InvalidClassException("proxy");
        }
    }

    /** Refuses to write what could not be read. */
    private final class AllowedOutput extends ObjectOutputStream {

        /** Whether the stream is being ended with the exception that is thrown then. */
        private boolean failed;

        /** How many objects were written that others may be in. */
        private int nesting;

        @SuppressWarnings("this-escape") // The method is final.
        AllowedOutput(OutputStream out) throws IOException {
            super(out);
            enableReplaceObject(true);
        }

        /** Replaces nothing: it is called once for each object. */
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
                throw new InvalidClassException(refusal(type));
            }
        }

        @Override
        protected void annotateProxyClass(Class<?> type) throws IOException {
            throw new InvalidClassException("proxies are not allowed");
        }
    }
}
