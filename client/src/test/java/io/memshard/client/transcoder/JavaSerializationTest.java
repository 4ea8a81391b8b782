// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import static io.memshard.client.transcoder.HostileValues.serialized;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JavaSerializationTest {

    private static final int SERIALIZED = 1;

    private static Transcoder<Object> allowing(String... names) {
        return limited(JavaSerialization.allowing(names));
    }

    private static Transcoder<Object> limited(JavaSerialization serialization) {
        return CompatibleTranscoder.spymemcached().javaSerialization(serialization);
    }

    private static Object passed(Transcoder<Object> transcoder, Object value) {
        EncodedValue stored = transcoder.encode(value);
        assertThat(stored.flags()).isEqualTo(SERIALIZED);
        return transcoder.decode(stored.data(), stored.flags());
    }

    private static void assertRejected(Transcoder<Object> transcoder, byte[] data, String... words) {
        assertThatExceptionOfType(MemcachedDecodingException.class)
                .isThrownBy(() -> transcoder.decode(data, SERIALIZED))
                .withMessageContainingAll(words);
    }

    private static final class Armed implements Serializable {

        static final AtomicInteger FIRED = new AtomicInteger();

        private void readObject(ObjectInputStream in) {
            FIRED.incrementAndGet();
        }
    }

    @Test
    void classesThatAreNamedPass() {
        Order order = new Order("Ada", new ArrayList<>(List.of(1, 2)));
        assertThat(passed(allowing(Order.CLASSES), order)).isEqualTo(order);
        assertThat(passed(allowing("io.memshard.client.transcoder.*", "java.util.*", "java.lang.*"), order))
                .isEqualTo(order);
        assertThat(passed(allowing("io.memshard.**", "java.**"), order)).isEqualTo(order);
    }

    @Test
    void collectionsEnumsNumbersAndArraysNeedNoMoreThanTheirOwnNames() {
        Map<Object, Object> map = new HashMap<>(Map.of("a", TimeUnit.DAYS, "b", 7L));
        assertThat(passed(allowing("java.util.HashMap", "java.util.concurrent.TimeUnit", "java.lang.Long"), map))
                .isEqualTo(map);
        assertThat(passed(allowing("java.math.*"), BigDecimal.TEN)).isEqualTo(BigDecimal.TEN);
        assertThat(passed(allowing("java.util.TreeMap"), new TreeMap<>(Map.of("a", "b"))))
                .isEqualTo(Map.of("a", "b"));
        assertThat(passed(allowing("java.lang.String"), new String[][] {{"a"}})).isEqualTo(new String[][] {{"a"}});
        assertThat(passed(allowing("java.lang.String"), new int[] {1, 2})).isEqualTo(new int[] {1, 2});
    }

    @Test
    void noCodeOfAnUnnamedClassRuns() {
        Armed.FIRED.set(0);
        byte[] data = serialized(new ArrayList<>(List.of(new Armed())));
        assertRejected(
                allowing("java.util.**"),
                data,
                "Java serialization of " + Armed.class.getName() + " is not allowed",
                ": name it in JavaSerialization.allowing");
        assertThat(Armed.FIRED).hasValue(0);
        allowing("java.util.**", Armed.class.getName()).decode(data, SERIALIZED);
        assertThat(Armed.FIRED).hasValue(1);
    }

    @Test
    void oneFailureNamesAllClassesThatAreMissing() {
        Armed.FIRED.set(0);
        byte[] data = serialized(new ArrayList<>(
                List.of(new Order("Ada", new ArrayList<>()), new BigDecimal("1.5"), List.of(new Armed()))));
        assertRejected(
                allowing("java.util.ArrayList"),
                data,
                "Java serialization of " + Order.class.getName() + ", java.math.BigDecimal, java.math.BigInteger",
                "java.util.CollSer, " + Armed.class.getName() + " is not allowed: name them in");
        assertThat(Armed.FIRED).hasValue(0);
    }

    @Test
    void dataOfTheJdkNeedNoNames() {
        Transcoder<Object> transcoder =
                limited(JavaSerialization.allowing(Order.class.getName()).andJdkData());
        List<Object> values = new ArrayList<>(List.of(
                new BigDecimal("1.5"),
                UUID.randomUUID(),
                Instant.now(),
                Map.of("a", List.of(1, 2L)),
                Collections.unmodifiableSet(new TreeSet<>(Set.of("b"))),
                Arrays.asList("a", "b")));
        EncodedValue encoded = transcoder.encode(values);
        assertThat(transcoder.decode(encoded.data(), encoded.flags())).isEqualTo(values);
        assertRejected(transcoder, serialized(new ArrayList<>(List.of(new Armed()))), "is not allowed: name it");
    }

    @Test
    void aPackageIncludesNeitherSubpackagesNorSimilarNames() {
        byte[] data = serialized(new Order("Ada", new ArrayList<>()));
        for (String near : List.of(
                "io.memshard.client.*",
                "io.memshard.client.transcoder",
                "io.memshard.client.trans.**",
                "io.memshard.client.transcoder.Orde",
                "io.memshard.client.transcoder.Order.*")) {
            assertRejected(allowing("java.util.*", near), data, "Order is not allowed");
        }
    }

    @Test
    void proxiesNeverPass() {
        Object proxy = Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Comparable.class}, new SerializableHandler());
        assertRejected(allowing("java.**", "io.memshard.**", "jdk.**", "com.sun.**"), serialized(proxy), "proxies");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> allowing("java.**", "io.memshard.**").encode(proxy))
                .withMessageContaining("proxies");
    }

    private static final class SerializableHandler implements java.lang.reflect.InvocationHandler, Serializable {

        @Override
        public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] arguments) {
            return 0;
        }
    }

    private static Stream<Arguments> valuesAboveALimit() {
        List<Object> many = new ArrayList<>(IntStream.range(0, 15_000).boxed().toList());
        List<String> shared = new ArrayList<>(List.of("a", "b", "c", "d", "e", "f", "g", "h", "i"));
        return Stream.of(
                arguments(20, 10_000, nested(20), nested(22), "depth 21 above 20"),
                arguments(2, 10_000, nested(2), nested(4), "depth 3 above 2"),
                arguments(20, 10_000, new ArrayList<>(many.subList(0, 9_000)), many, "references 10001 above 10000"),
                arguments(5, 50, new Object[40], new Object[60], "references 51 above 50"),
                // A string, or an array of primitives, counts as one reference more for each KiB.
                arguments(5, 50, new char[20 << 10], new short[30 << 10], "references 62 above 50"),
                arguments(5, 50, new long[5 << 10], new long[30 << 10], "references 242 above 50"),
                arguments(5, 50, "x".repeat(10 << 10), new ArrayList<>(List.of("x".repeat(60 << 10))), " above 50"),
                // Each reference to an object counts as all in the object.
                arguments(
                        5,
                        50,
                        new ArrayList<>(Collections.nCopies(4, shared)),
                        new ArrayList<>(Collections.nCopies(5, shared)),
                        "references 52 above 50"));
    }

    @ParameterizedTest
    @MethodSource("valuesAboveALimit")
    void valueAboveALimitIsNeitherWrittenNorRead(
            int depth, int references, Object allowed, Object above, String limit) {
        Transcoder<Object> transcoder =
                limited(JavaSerialization.allowing("java.util.*", "java.lang.*").limits(depth, references));
        assertThat(transcoder.decode(serialized(allowed), SERIALIZED)).isEqualTo(allowed);
        assertRejected(transcoder, serialized(above), "above the limits of JavaSerialization: ", limit);
        assertThatExceptionOfType(MemcachedValueTooLargeException.class)
                .isThrownBy(() -> transcoder.encode(above))
                .withMessageStartingWith("a " + above.getClass().getName() + " cannot be serialized: ")
                .withMessageEndingWith(limit);
    }

    /** Keeps the names that it was asked for. */
    private static final class Asked extends ClassLoader {

        private final List<String> names = new ArrayList<>();

        Asked() {
            super(JavaSerializationTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            names.add(name);
            return super.loadClass(name, resolve);
        }
    }

    /** A class loader keeps the names that it is asked for. */
    @Test
    void noForbiddenOrMissingClassIsLoaded() {
        Asked loader = new Asked();
        Transcoder<Object> transcoder =
                limited(JavaSerialization.allowing("java.util.*", "com.evil.*").classLoader(loader));
        assertRejected(transcoder, HostileValues.unknownName("com.bad", 1), "com.bad.", "is not allowed");
        assertRejected(transcoder, HostileValues.unknownName("java.util", 1), "ClassNotFoundException");
        assertRejected(transcoder, HostileValues.unknownName("com.evil", 1), "ClassNotFoundException");
        assertRejected(transcoder, serialized(new Armed[0]), "is not allowed");
        assertThat(loader.names).isEmpty();
        assertThat(passed(transcoder, new ArrayList<>(List.of("a")))).isEqualTo(List.of("a"));
        assertThat(loader.names).containsExactly("java.util.ArrayList");
    }

    /** The collections of an honest program are far below the limits of their tables and their work. */
    @Test
    void ordinaryValuesPassWithTheDefaultLimits() {
        Map<Object, Object> map = new HashMap<>();
        for (int i = 0; i < 1_000; i++) {
            map.put(new Order("customer " + i, new ArrayList<>(List.of(i))), new Order("other", new ArrayList<>()));
        }
        List<Object> maps = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            maps.add(new HashMap<>(Map.of("key", i)));
        }
        Transcoder<Object> transcoder = allowing("java.util.**", "java.lang.*", Order.class.getName());
        for (Object value : List.of(
                map,
                maps,
                new HashSet<>(IntStream.range(0, 9_900).boxed().toList()),
                IntStream.range(0, 9_900).boxed().toList(),
                new TreeMap<>(Map.of("a", new int[0])).keySet().stream().toList(),
                nested(20),
                Set.of(TimeUnit.values()),
                new EnumMap<>(Map.of(TimeUnit.DAYS, "")),
                new ArrayDeque<>(List.of(1)),
                new Vector<>(List.of(1)),
                new IdentityHashMap<>(),
                new LinkedHashMap<>(Map.of(1, 2)),
                Collections.unmodifiableMap(new HashMap<>(Map.of(1, 2))),
                Arrays.asList(1, 2),
                EnumSet.of(TimeUnit.DAYS),
                new Hashtable<>(Map.of(1, 2)),
                new Object[1_000])) {
            EncodedValue stored = transcoder.encode(value);
            Object read = transcoder.decode(stored.data(), stored.flags());
            if (value instanceof ArrayDeque || value instanceof Object[]) {
                assertThat(read).hasSameClassAs(value);
            } else {
                assertThat(read).isEqualTo(value);
            }
        }
    }

    /** Long strings and arrays count by their bytes, and still far less than the limits allow. */
    @Test
    void largeOrdinaryValuesPassWithTheDefaultLimits() {
        List<String> texts =
                IntStream.range(0, 9_000).mapToObj(i -> "%0100d".formatted(i)).toList();
        Queue<String> queue = new PriorityQueue<>(String.CASE_INSENSITIVE_ORDER);
        queue.addAll(texts);
        BitSet bits = new BitSet();
        bits.set(0, 8_000_000);
        Map<String, Object> map = new HashMap<>();
        texts.subList(0, 4_400).forEach(text -> map.put(text, texts.get(0)));
        Transcoder<Object> transcoder = allowing("java.util.**", "java.lang.*", Order.class.getName());
        for (Object value : List.of(
                new ArrayList<>(texts),
                new HashSet<>(texts),
                Set.copyOf(texts),
                map,
                queue,
                new HashMap<>(Map.of("k".repeat(400_000), "v".repeat(600_000))),
                new HashMap<>(Map.of("text", "v".repeat(1_000_000))),
                new HashMap<>(Map.of("bytes", new byte[1_000_000])),
                new HashSet<>(List.of(bits)),
                new Order("a".repeat(1_000_000), new ArrayList<>()),
                new StringBuilder("b".repeat(400_000)))) {
            EncodedValue stored = transcoder.encode(value);
            assertThat(transcoder.decode(stored.data(), stored.flags())).hasSameClassAs(value);
        }
    }

    static class Base implements Serializable {

        String inherited = "not written";
    }

    /** Writes none of the fields of its superclass, although its stream describes them. */
    public static final class Outside extends Base implements Externalizable {

        @Override
        public void writeExternal(ObjectOutput out) throws IOException {
            out.writeObject(new ArrayList<>(List.of(inherited.length())));
        }

        @Override
        public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
            inherited = "read " + in.readObject();
        }
    }

    @Test
    void externalizableSubclassesOfSerializableClassesPass() {
        Outside found = (Outside) passed(allowing("java.**", "io.memshard.**"), new Outside());
        assertThat(found.inherited).isEqualTo("read [11]");
    }

    @Test
    void damageIsAFailureOfTheValue() {
        Transcoder<Object> transcoder = allowing(Order.CLASSES);
        byte[] data = serialized(new Order("Ada", new ArrayList<>(List.of(1, 2))));
        for (int length = 0; length < data.length; length++) {
            assertRejected(transcoder, Arrays.copyOf(data, length), "cannot be deserialized");
        }
        assertRejected(transcoder, serialized(null), "null");
    }

    @Test
    void theDefaultClassLoaderComesFromTheCreator() throws IOException {
        byte[] data = serialized(new Order("Ada", new ArrayList<>()));
        JavaSerialization allowed = JavaSerialization.allowing(Order.CLASSES);
        assertRejected(
                limited(allowed.classLoader(ClassLoader.getPlatformClassLoader())), data, "ClassNotFoundException");
        URL[] tests = {Order.class.getProtectionDomain().getCodeSource().getLocation()};
        try (URLClassLoader other = new URLClassLoader(tests, ClassLoader.getPlatformClassLoader())) {
            Object order = limited(allowed.classLoader(other)).decode(data, SERIALIZED);
            assertThat(order.getClass().getName()).isEqualTo(Order.class.getName());
            assertThat(order.getClass().getClassLoader()).isSameAs(other);
        }
        Thread thread = Thread.currentThread();
        ClassLoader context = thread.getContextClassLoader();
        thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
        try {
            assertThat(limited(allowed).decode(data, SERIALIZED)).isInstanceOf(Order.class);
        } finally {
            thread.setContextClassLoader(context);
        }
    }

    @Test
    void valueThatCouldNotBeReadIsNotWritten() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> allowing("java.util.ArrayList").encode(new ArrayList<>(List.of(new Armed()))))
                .withMessageContaining(Armed.class.getName() + " is not allowed");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> allowing("java.**").encode(new Object()))
                .withMessageContaining("cannot be serialized");
    }

    private static Object nested(int depth) {
        Object nested = "innermost";
        for (int i = 1; i < depth; i++) {
            nested = new ArrayList<>(List.of(nested));
        }
        return nested;
    }

    /** Reading takes time, and runs code of the classes. */
    @Test
    void valueIsNotReadWhenItIsWritten() {
        int fired = Armed.FIRED.get();
        allowing(Armed.class.getName(), "java.util.*").encode(new ArrayList<>(List.of(new Armed(), "text")));
        assertThat(Armed.FIRED).hasValue(fired);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*", "**", "com.*.Order", "com.example.", ".Order", "!com.example.Order", "a;b", "a b"})
    void badNamesAreRejected(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JavaSerialization.allowing(name))
                .withMessageContaining("not the name of a class or a package");
    }

    @Test
    void badSettingsAreRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(JavaSerialization::allowing)
                .withMessageContaining("the list of allowed classes is empty");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JavaSerialization.allowing("a").limits(0, 1));
    }
}
