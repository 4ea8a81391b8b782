// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.serialization.ObjectSerializer;
import io.memshard.client.serialization.SerializationLimits;
import java.io.InvalidObjectException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Java serialization of the classes that are allowed by name, for {@link CompatibleTranscoder#javaSerialization}.
 *
 * <p>A program that can write to memcached chooses which classes a read instantiates, and so which code of these
 * classes runs. So only named classes can be written and read. Superclasses and element types must be named too, except
 * {@code Object}, {@code Number}, {@code Enum} and primitives. Proxies, {@code Collections.nCopies} and {@code
 * LinkedTransferQueue} are never allowed. A filter of the whole JVM ({@code jdk.serialFilter}) still applies.
 *
 * <p>The {@link #limits} apply to the depth of the objects and the number of their references. Writes have the same
 * limits, so that every written value can be read. A {@code readObject} method of an allowed class must read the fields
 * first, by {@code defaultReadObject} or {@code readFields}. Otherwise a value can hide objects from these checks.
 *
 * <p>If {@code readResolve} replaces an object by an object of another class, only the first class has to be allowed.
 * For example, {@code java.util.CollSer} stands for {@code List.of}, {@code Set.of} and {@code Map.of}.
 *
 * <p>Threading: immutable.
 */
public final class JavaSerialization {

    /** Data classes of the JDK whose deserialization calls only classes of this list. */
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

    private final List<String> names;
    private final boolean logsOthers;
    private final @Nullable ClassLoader classLoader;
    private final SerializationLimits limits;
    private final ObjectSerializer serializer;

    private JavaSerialization(
            List<String> names, boolean logsOthers, @Nullable ClassLoader classLoader, SerializationLimits limits) {
        this.names = names;
        this.logsOthers = logsOthers;
        this.classLoader = classLoader;
        this.limits = limits;
        this.serializer = new ObjectSerializer(names, logsOthers, classLoader, limits);
    }

    /**
     * Returns a serialization that allows only these classes. The context class loader of the calling thread loads
     * them.
     *
     * @param names the classes ({@code com.example.Order}, {@code com.example.Order$Line}), packages ({@code
     *     com.example.*}), or packages with their subpackages ({@code com.example.**})
     */
    public static JavaSerialization allowing(String... names) {
        return new JavaSerialization(
                List.of(names), false, Thread.currentThread().getContextClassLoader(), SerializationLimits.DEFAULTS);
    }

    /** Returns the names that {@link #andJdkData} allows. */
    public static List<String> jdkData() {
        return JDK_DATA;
    }

    /**
     * Returns a copy that also allows data of the JDK: boxed primitives, strings, {@code java.math}, {@code java.time},
     * dates and calendars, {@code UUID}, {@code Locale}, {@code Currency}, {@code URI} and {@code BitSet}. The copy
     * also allows the usual collections, including those of {@code List.of}, {@code Collections} and {@code
     * java.util.concurrent}, and the JDK's comparators in them. {@link #jdkData} lists all classes.
     */
    public JavaSerialization andJdkData() {
        return new JavaSerialization(
                Stream.concat(names.stream(), JDK_DATA.stream()).toList(), logsOthers, classLoader, limits);
    }

    /**
     * Returns a copy that temporarily allows all other classes too, and logs each of their names once, at level WARN.
     * The log shows which classes an application needs. Use this method only if you trust all programs that can write
     * to memcached, because they choose which classes are instantiated.
     */
    public JavaSerialization loggingOthers() {
        return new JavaSerialization(names, true, classLoader, limits);
    }

    /** Returns a copy with another class loader. */
    public JavaSerialization classLoader(ClassLoader other) {
        return new JavaSerialization(names, logsOthers, Objects.requireNonNull(other, "class loader is null"), limits);
    }

    /**
     * Returns a copy with other limits. The default depth is 20, and the default number of references is 10,000.
     *
     * <p>Objects, strings, nulls and classes count as one reference each, and each KiB of strings and arrays of
     * primitives as one more. A big number counts as the square of its length in units of 64 bytes. A reference to an
     * object that the value already contains counts as all references in that object.
     *
     * <p>A hostile writer can make one read take up to a second with 10,000 references, two seconds with 20,000, and
     * three minutes with 100,000. Raise the limit only if you trust all who can write to memcached.
     *
     * @param depth the maximum nesting of objects, at least 1
     * @param references the maximum number of references, at least 1
     */
    public JavaSerialization limits(int depth, int references) {
        return new JavaSerialization(names, logsOthers, classLoader, new SerializationLimits(depth, references));
    }

    byte[] write(Object value) {
        try {
            return serializer.write(value);
        } catch (IllegalArgumentException e) {
            if (e.getCause() instanceof SerializationLimits.ExceededException) {
                throw new MemcachedValueTooLargeException(String.valueOf(e.getMessage()), null, e);
            }
            throw e;
        }
    }

    Object read(byte[] data) throws InvalidObjectException {
        return serializer.read(data);
    }
}
