// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import io.memshard.client.exception.MemcachedValueTooLargeException;
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
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Java serialization of the classes that are allowed by name, for {@link CompatibleTranscoder#javaSerialization}.
 *
 * <p>A program that can write to memcached chooses the classes that a read instantiates. Therefore, only classes that
 * the application names can be written and read. Superclasses and element types of arrays must be named too, except
 * {@code Object}, {@code Number}, {@code Enum} and primitives. Proxies, {@code Collections.nCopies} and
 * {@code LinkedTransferQueue} are never allowed. A filter of the whole JVM ({@code jdk.serialFilter}) still applies.
 *
 * <p>The {@link #limits} restrict the nesting of objects and the number of references. Writes have the same limits, so
 * that every written value can be read. A {@code readObject} method of an allowed class must read the fields first, by
 * {@code defaultReadObject} or {@code readFields}. Otherwise a value can hide objects from these checks.
 *
 * <p>If {@code readResolve} replaces an object, only the class of the object in the stream has to be allowed. For
 * example, {@code java.util.CollSer} is the class in the stream for {@code List.of}, {@code Set.of} and {@code Map.of}.
 *
 * <p>Threading: thread-safe.
 */
public final class JavaSerialization {

    /** Data classes of the JDK whose deserialization calls only code of classes in this list. */
    private static final List<String> JDK_DATA = List.of(
            "java.io.Serializable",
            "java.lang.Boolean",
            "java.lang.Byte",
            "java.lang.Character",
            "java.lang.Comparable",
            "java.lang.Double",
            "java.lang.Float",
            "java.lang.Integer",
            "java.lang.Long",
            "java.lang.Short",
            "java.lang.String",
            "java.lang.String$CaseInsensitiveComparator",
            "java.math.BigDecimal",
            "java.math.BigInteger",
            "java.math.MathContext",
            "java.math.RoundingMode",
            "java.net.URI",
            "java.time.*",
            "java.util.ArrayDeque",
            "java.util.ArrayList",
            "java.util.Arrays$ArrayList",
            "java.util.BitSet",
            "java.util.Calendar",
            "java.util.CollSer",
            "java.util.Collections$EmptyList",
            "java.util.Collections$EmptyMap",
            "java.util.Collections$EmptySet",
            "java.util.Collections$ReverseComparator",
            "java.util.Collections$ReverseComparator2",
            "java.util.Collections$SetFromMap",
            "java.util.Collections$SingletonList",
            "java.util.Collections$SingletonMap",
            "java.util.Collections$SingletonSet",
            "java.util.Collections$SynchronizedCollection",
            "java.util.Collections$SynchronizedList",
            "java.util.Collections$SynchronizedMap",
            "java.util.Collections$SynchronizedNavigableMap",
            "java.util.Collections$SynchronizedNavigableSet",
            "java.util.Collections$SynchronizedRandomAccessList",
            "java.util.Collections$SynchronizedSet",
            "java.util.Collections$SynchronizedSortedMap",
            "java.util.Collections$SynchronizedSortedSet",
            "java.util.Collections$UnmodifiableCollection",
            "java.util.Collections$UnmodifiableList",
            "java.util.Collections$UnmodifiableMap",
            "java.util.Collections$UnmodifiableNavigableMap",
            "java.util.Collections$UnmodifiableNavigableSet",
            "java.util.Collections$UnmodifiableRandomAccessList",
            "java.util.Collections$UnmodifiableSet",
            "java.util.Collections$UnmodifiableSortedMap",
            "java.util.Collections$UnmodifiableSortedSet",
            "java.util.Comparators$NaturalOrderComparator",
            "java.util.Comparators$NullComparator",
            "java.util.Currency",
            "java.util.Date",
            "java.util.EnumMap",
            "java.util.EnumSet",
            "java.util.EnumSet$SerializationProxy",
            "java.util.GregorianCalendar",
            "java.util.HashMap",
            "java.util.HashSet",
            "java.util.Hashtable",
            "java.util.LinkedHashMap",
            "java.util.LinkedHashSet",
            "java.util.LinkedList",
            "java.util.Locale",
            "java.util.Map$Entry",
            "java.util.PriorityQueue",
            "java.util.Properties",
            "java.util.SimpleTimeZone",
            "java.util.Stack",
            "java.util.TimeZone",
            "java.util.TreeMap",
            "java.util.TreeSet",
            "java.util.UUID",
            "java.util.Vector",
            "java.util.concurrent.ConcurrentHashMap",
            "java.util.concurrent.ConcurrentHashMap$CollectionView",
            "java.util.concurrent.ConcurrentHashMap$KeySetView",
            "java.util.concurrent.ConcurrentHashMap$Segment",
            "java.util.concurrent.ConcurrentLinkedDeque",
            "java.util.concurrent.ConcurrentLinkedQueue",
            "java.util.concurrent.ConcurrentSkipListMap",
            "java.util.concurrent.ConcurrentSkipListSet",
            "java.util.concurrent.CopyOnWriteArrayList",
            "java.util.concurrent.CopyOnWriteArraySet",
            "java.util.concurrent.TimeUnit",
            "java.util.concurrent.atomic.AtomicBoolean",
            "java.util.concurrent.atomic.AtomicInteger",
            "java.util.concurrent.atomic.AtomicLong",
            "java.util.concurrent.locks.AbstractOwnableSynchronizer",
            "java.util.concurrent.locks.AbstractQueuedSynchronizer",
            "java.util.concurrent.locks.ReentrantLock",
            "java.util.concurrent.locks.ReentrantLock$NonfairSync",
            "java.util.concurrent.locks.ReentrantLock$Sync",
            "sun.util.calendar.ZoneInfo");

    static final String PROXY = "Java serialization of proxies is not allowed";

    /** True in a native image, which has no class files, and whose class loader does not keep names. */
    private static final boolean IS_NATIVE_IMAGE = System.getProperty("org.graalvm.nativeimage.imagecode") != null;

    /** Maximum number of array elements per byte of a stream. A hash table of the JDK needs at most 1.6 per byte. */
    private static final long ELEMENTS_PER_BYTE = 2;

    /** Number of additional array elements, because small hash tables need more per byte. */
    private static final int SPARE_ELEMENTS = 1024;

    private final List<String> names;
    private final AllowList allowed;
    private final @Nullable ClassLoader classLoader;
    private final SerializationLimits limits;
    private final Map<String, Class<?>> known = new ConcurrentHashMap<>();

    private JavaSerialization(List<String> names, @Nullable ClassLoader classLoader, SerializationLimits limits) {
        this.names = names;
        this.classLoader = classLoader;
        this.limits = limits;
        this.allowed = new AllowList(names);
    }

    /**
     * Returns a serialization that allows only these classes. The context class loader of the calling thread loads the
     * classes.
     *
     * @param names the classes ({@code com.example.Order}, {@code com.example.Order$Line}), packages ({@code
     *     com.example.*}), or packages with their subpackages ({@code com.example.**})
     */
    public static JavaSerialization allowing(String... names) {
        return new JavaSerialization(
                List.of(names), Thread.currentThread().getContextClassLoader(), SerializationLimits.DEFAULTS);
    }

    /** Returns the names that {@link #andJdkData} allows. */
    public static List<String> jdkData() {
        return JDK_DATA;
    }

    /**
     * Returns a copy that also allows data of the JDK: boxed primitives, strings, {@code java.math}, {@code java.time},
     * dates and calendars, {@code UUID}, {@code Locale}, {@code Currency}, {@code URI} and {@code BitSet}. The copy
     * also allows the usual collections, including the collections of {@code List.of}, {@code Collections} and
     * {@code java.util.concurrent}, and the JDK's comparators. {@link #jdkData} lists all classes.
     */
    public JavaSerialization andJdkData() {
        return new JavaSerialization(
                Stream.concat(names.stream(), JDK_DATA.stream()).toList(), classLoader, limits);
    }

    /** Returns a copy with another class loader. */
    public JavaSerialization classLoader(ClassLoader other) {
        return new JavaSerialization(names, Objects.requireNonNull(other, "class loader is null"), limits);
    }

    /**
     * Returns a copy with other limits. The default depth is 20, and the default number of references is 10,000.
     *
     * <p>Each object, string, null and class counts as one reference. Each KiB of a string or of an array of primitives
     * counts as one more reference. A {@code BigInteger} with a length of n times 64 bytes counts as n * n references.
     * Each further reference to an object counts as all references in that object.
     *
     * <p>A read of a hostile value can take a second with 10,000 references, two seconds with 20,000, and three minutes
     * with 100,000. Raise the limit only if you trust everyone who can write to memcached.
     *
     * @param depth the maximum nesting of objects, at least 1
     * @param references the maximum number of references, at least 1
     */
    public JavaSerialization limits(int depth, int references) {
        return new JavaSerialization(names, classLoader, new SerializationLimits(depth, references));
    }

    byte[] write(Object value) {
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(data)) {
            out.writeObject(value);
            out.flush();
            byte[] written = data.toByteArray();
            StreamCheck.check(written, allowed, limits);
            return written;
        } catch (IOException e) {
            String message = "a " + value.getClass().getName() + " cannot be serialized: " + e.getMessage()
                    + (e instanceof NotSerializableException ? " does not implement Serializable" : "");
            throw e instanceof SerializationLimits.ExceededException
                    ? new MemcachedValueTooLargeException(message, null, e)
                    : new IllegalArgumentException(message, e);
        }
    }

    Object read(byte[] data) throws InvalidObjectException {
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
            // The bytes can make allowed classes fail in any way: Map.of, for example, throws an InternalError.
            throw unreadable(gate.reason, e);
        }
        if (value == null) {
            throw new InvalidObjectException("the value in Java serialization is null: delete the item");
        }
        return value;
    }

    private static InvalidObjectException unreadable(@Nullable String reason, Throwable cause) {
        String hint = cause instanceof InvalidClassException
                ? "; if the class of the value has changed, restore its serialVersionUID, delete the item, or use"
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

    /** Loads only classes with a class file, because a class loader keeps each requested name forever. */
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
                throw new ClassNotFoundException("the class loader has no class file for a class in the value");
            }
        }
        Class<?> found = Class.forName(name, false, classLoader);
        known.put(name, found);
        return found;
    }

    /** Filter that rejects large arrays and hash tables before the JDK allocates them. */
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
            // An ObjectInputFilter is called only after the class has been loaded.
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
