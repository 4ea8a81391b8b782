// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import io.memshard.client.serialization.ObjectSerializer;
import io.memshard.client.serialization.SerializationLimits;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Java serialization of the classes that are allowed by name, for {@link
 * CompatibleTranscoder#javaSerialization}.
 *
 * <p>A program that can write to memcached chooses which classes are instantiated on reading, and so which of their
 * code runs. So only named classes pass, in both directions. Superclasses and element types need naming too, except
 * {@code Object}, {@code Number}, {@code Enum} and primitives. Proxies never pass. A filter of the whole JVM ({@code
 * jdk.serialFilter}) still applies.
 *
 * <p>Limited, in both directions, are the depth of the object graph, its references, the length of its arrays and the
 * work of its collections ({@link #comparisons}). All arrays and tables together take at most five times the bytes of
 * the value, and 4 KiB. A value is checked for that before any of its classes is looked for. The check takes a class
 * that has a {@code writeObject} to write its fields first, by {@code defaultWriteObject} or {@code writeFields}, as
 * the specification demands.
 *
 * <p>What is written can be read. A class with a {@code readResolve} becomes another one on reading, which has to be
 * allowed too. {@code java.util.CollSer} stands for {@code List.of}, {@code Set.of} and {@code Map.of}, and allows
 * them. A value with another such class, or with perhaps too long a table, is read once to find out, before it is
 * written. With the default limits a table may be too long above 125,000 bytes.
 *
 * <p>Threading: immutable.
 */
public final class JavaSerialization {

    private final List<String> names;
    private final @Nullable ClassLoader classLoader;
    private final SerializationLimits limits;
    private final ObjectSerializer serializer;

    private JavaSerialization(List<String> names, @Nullable ClassLoader classLoader, SerializationLimits limits) {
        this.names = names;
        this.classLoader = classLoader;
        this.limits = limits;
        this.serializer = new ObjectSerializer(names, classLoader, limits);
    }

    /**
     * Serialization of these classes and no others. The context class loader of the calling thread finds them.
     *
     * @param names classes ({@code com.example.Order}, {@code com.example.Order$Line}), packages ({@code
     *     com.example.*}), or packages with their subpackages ({@code com.example.**})
     */
    public static JavaSerialization allowing(String... names) {
        return new JavaSerialization(
                List.of(names), Thread.currentThread().getContextClassLoader(), SerializationLimits.DEFAULTS);
    }

    /** The same with another class loader. */
    public JavaSerialization classLoader(ClassLoader other) {
        return new JavaSerialization(names, Objects.requireNonNull(other, "class loader is null"), limits);
    }

    /**
     * The same with other limits than 20, 100,000 and 1,000,000 for what is read and written.
     *
     * @param depth how deep objects may be nested
     * @param references how many references there may be
     * @param arrayLength how many elements an array, or the table of a collection, may have
     */
    public JavaSerialization limits(int depth, int references, int arrayLength) {
        return new JavaSerialization(
                names, classLoader, new SerializationLimits(depth, references, arrayLength, limits.comparisons()));
    }

    /**
     * The same with another limit than 25 million for the work that the collections in a value make.
     *
     * <p>Hash tables and queues call {@code hashCode}, {@code equals} and {@code compareTo} while they are read. The
     * limit is on how many objects these visit at worst, when all elements collide. A string or an array of primitives
     * counts as one object more for each 128 bytes.
     *
     * <p>Strings, boxed numbers, enums, dates and UUIDs cost little, except as keys of a {@code Hashtable} and in
     * {@code Set.of} and {@code Map.of}. Others cost about the square of their number: 3,000 keys with two fields each
     * are near the limit.
     *
     * @param most at least 1; 25 million take up to a second
     */
    public JavaSerialization comparisons(long most) {
        return new JavaSerialization(
                names,
                classLoader,
                new SerializationLimits(limits.depth(), limits.references(), limits.arrayLength(), most));
    }

    ObjectSerializer serializer() {
        return serializer;
    }
}
