// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.memshard.client.transcoder.CompatibleTranscoder;
import io.memshard.client.transcoder.JavaSerialization;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.client.transcoder.ValueOracle;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Serialized values made to harm the reader: each is refused, or read at a price in proportion. */
class SerializationAttacksTest {

    /** Ends the test where a limit fails: most of these values take hours without one. */
    private static final Duration HANG = Duration.ofMinutes(2);

    private static final int SERIALIZED = 1;

    private static final Transcoder<Object> ANYTHING = CompatibleTranscoder.spymemcached()
            .javaSerialization(JavaSerialization.allowing("java.**", "io.memshard.**"));

    /**
     * A value, and what must come of it.
     *
     * @param reason a word of the failure; null if the value is read
     * @param isRefusedLate whether it fails only while it is read
     */
    private record Attack(
            String name, Supplier<byte[]> value, @Nullable String reason, boolean isRefusedLate) {

        @Override
        public String toString() {
            return name;
        }
    }

    private static Attack serialized(String name, Supplier<byte[]> value, @Nullable String reason) {
        return new Attack(name, value, reason, false);
    }

    private static Attack refusedLate(String name, Supplier<byte[]> value, String reason) {
        return new Attack(name, value, reason, true);
    }

    private static final int MANY = 1_000_000;

    static Stream<Attack> serialization() {
        List<Object> seven = Arrays.asList(1, 2, 3, 4, 5, 6, 8);
        Map<Object, Object> map = new HashMap<>();
        seven.forEach(each -> map.put(each, ""));
        return Stream.of(
                serialized(
                        "sets in sets, 8 deep",
                        () -> HostileValues.serialized(HostileValues.nested(HashSet::new, 4, 6)),
                        null),
                serialized(
                        "sets in sets, 10 deep",
                        () -> HostileValues.serialized(HostileValues.nested(HashSet::new, 5, 6)),
                        "references"),
                serialized(
                        "sets in sets, 18 deep",
                        () -> HostileValues.inSet(HostileValues.doubling(18, 10)),
                        "references"),
                serialized("lists in a set", () -> HostileValues.inSet(HostileValues.doubling(17, 30)), "references"),
                serialized(
                        "a list of itself in a set",
                        () -> HostileValues.setOfItself(itself -> itself),
                        "StackOverflow"),
                serialized(
                        "lists that collide",
                        () -> HostileValues.setOf(HostileValues.collidingLists(20_000)),
                        "references"),
                serialized(
                        "a few lists that collide", () -> HostileValues.setOf(HostileValues.collidingLists(500)), null),
                serialized(
                        "keys of our own that collide",
                        () -> HostileValues.setOf((List<?>) HostileValues.many(30_000, HostileValues.Key::new)),
                        "references"),
                serialized("strings that collide", () -> HostileValues.setOf(HostileValues.collidingStrings(13)), null),
                serialized(
                        "some keys of our own that collide",
                        () -> HostileValues.setOf((List<?>) HostileValues.many(1_000, HostileValues.Key::new)),
                        null),
                serialized(
                        "some strings that collide in Set.of",
                        () -> HostileValues.serialized(Set.copyOf(HostileValues.collidingStrings(10))),
                        null),
                serialized(
                        "lists in a set that cost what is allowed",
                        () -> HostileValues.inSet(HostileValues.doubling(4, 9)),
                        null),
                serialized("a wide Hashtable of one place", () -> HostileValues.narrowHashtable(4_900), null),
                serialized("a Hashtable of one place", () -> HostileValues.narrowHashtable(45_000), "references"),
                serialized("a small Hashtable of one place", () -> HostileValues.narrowHashtable(1_000), null),
                serialized("a queue of long numbers", () -> HostileValues.longNumbers(300_000, 1_000), "references"),
                serialized("a queue of numbers", () -> HostileValues.longNumbers(3_000, 1_000), "references"),
                serialized(
                        "a queue of two long strings in lower and upper case",
                        () -> HostileValues.queueOf(
                                HostileValues.inTurn(20_000, "a".repeat(280_000), "A".repeat(280_000)),
                                String.CASE_INSENSITIVE_ORDER),
                        "references"),
                serialized(
                        "a queue of two long strings",
                        () -> HostileValues.queueOf(
                                HostileValues.inTurn(20_000, "a".repeat(400_000), "a".repeat(400_001)), null),
                        "references"),
                serialized(
                        "a queue of two long builders",
                        () -> HostileValues.queueOf(
                                HostileValues.inTurn(
                                        20_000,
                                        new StringBuilder("a".repeat(150_000)),
                                        new StringBuilder("a".repeat(150_001))),
                                null),
                        "references"),
                serialized(
                        "a queue of two long buffers",
                        () -> HostileValues.queueOf(
                                HostileValues.inTurn(
                                        20_000,
                                        new StringBuffer("a".repeat(150_000)),
                                        new StringBuffer("a".repeat(150_001))),
                                null),
                        "references"),
                serialized(
                        "two long strings that collide, many times",
                        () -> HostileValues.setOf(
                                HostileValues.inTurn(90_000, "a".repeat(250_000) + "Aa", "a".repeat(250_000) + "BB")),
                        "references"),
                serialized(
                        "a far bit, many times",
                        () -> HostileValues.setOf(HostileValues.inTurn(2_500, HostileValues.farBit(7_900_000))),
                        "references"),
                serialized(
                        "two lists of copies, many times",
                        () -> HostileValues.setOf(Stream.concat(
                                        // Gives the value the bytes that such lists need.
                                        Stream.of("x".repeat(800_000)),
                                        HostileValues.inTurn(
                                                2_600, HostileValues.copies(500_000), HostileValues.copies(499_999))
                                                .stream())
                                .toList()),
                        "never allowed"),
                serialized(
                        "two maps with colliding lists, many times",
                        () -> HostileValues.setOf(HostileValues.inTurn(
                                36, HostileValues.collidingMap(1_500), HostileValues.collidingMap(1_500))),
                        "references"),
                serialized(
                        "two Set.of with colliding strings, many times",
                        () -> HostileValues.setOf(HostileValues.inTurn(
                                40,
                                Set.copyOf(HostileValues.collidingStrings(9)),
                                Set.copyOf(HostileValues.collidingStrings(9)))),
                        "references"),
                serialized(
                        "two sets that are searched from end to end, many times",
                        () -> HostileValues.setOf(HostileValues.inTurn(
                                40, HostileValues.arraySet(1, 400), HostileValues.arraySet(-1, 400))),
                        "references"),
                serialized(
                        "a queue with a comparator of many comparators",
                        () -> HostileValues.queueOf(
                                HostileValues.inTurn(90_000, 1, 1), HostileValues.comparatorOfMany(8)),
                        "references"),
                serialized(
                        "numbers that collide",
                        () -> HostileValues.setOf(HostileValues.collidingNumbers(300, 400)),
                        null),
                serialized(
                        "numbers that collide with a long one",
                        () -> HostileValues.setOf(HostileValues.collidingNumbers(300_000, 400)),
                        "references"),
                serialized("maps that collide", () -> HostileValues.setOf(HostileValues.collidingTrees(40, 50)), null),
                serialized(
                        "many maps that collide",
                        () -> HostileValues.setOf(HostileValues.collidingTrees(90, 50)),
                        "references"),
                refusedLate(
                        "a list of itself and many others in a set",
                        () -> HostileValues.setOfLongCycle(9_900),
                        "StackOverflow"),
                serialized("superclasses of superclasses", () -> HostileStreams.superclasses(30_000), "depth"),
                serialized(
                        "lists in a queue of the JDK that hides them",
                        () -> HostileStreams.hiddenInAQueue(HostileValues.inSet(HostileValues.doubling(17, 30))),
                        "never allowed"),
                refusedLate(
                        "a name outside the list, hidden",
                        () -> HostileStreams.hidden(HostileValues.unknownName("com.evil", 7)),
                        "not allowed"),
                refusedLate(
                        "lists 300 deep, hidden",
                        () -> HostileStreams.hidden(HostileValues.serialized(HostileValues.doubling(300, 1))),
                        "depth"),
                refusedLate(
                        "many objects, hidden",
                        () -> HostileStreams.hidden(
                                HostileValues.serialized(HostileValues.many(12_000, i -> new HostileValues.Nothing()))),
                        "references"),
                serialized("lists in lists that claim a length", () -> HostileStreams.claimingLists(19, MANY), "array"),
                serialized(
                        "a set of a tiny load factor",
                        () -> HostileStreams.loadFactor(HostileValues.serialized(new HashSet<>(seven)), 0.75f, 1e-30f),
                        null),
                serialized(
                        "a map of a tiny load factor",
                        () -> HostileStreams.loadFactor(HostileValues.serialized(map), 0.75f, 1e-30f),
                        null),
                serialized("lists that claim a length", () -> HostileValues.longLists(20, MANY), "array"),
                serialized("a list that claims to be short", () -> HostileValues.longLists(1, -1), "cannot be"),
                claim("ArrayList", new ArrayList<>(seven)),
                claim("ArrayDeque", new ArrayDeque<>(seven)),
                claim("HashMap", map),
                claim("LinkedHashMap", new LinkedHashMap<>(map)),
                claim("HashSet", new HashSet<>(seven)),
                claim("IdentityHashMap", new IdentityHashMap<>(map)),
                claim("PriorityQueue", new PriorityQueue<>(seven)),
                claim("CopyOnWriteArrayList", new CopyOnWriteArrayList<>(seven)),
                claim("Object[]", seven.toArray()),
                claim("long[]", new long[7]),
                claim("TreeMap", new TreeMap<>(map)),
                claim("BitSet", BitSet.valueOf(new long[] {1, 2, 3, 4, 5, 6, 7})),
                claim("Set.of", Set.copyOf(seven)),
                refusedLate(
                        "a Map.of with a key and no value",
                        () -> HostileValues.claiming(Map.of("a", "b", "c", "d"), 4, 3),
                        "InternalError"),
                serialized(
                        "numbers that copy one array",
                        () -> HostileValues.copying(200_000, 5_000, Object.class),
                        "references"),
                serialized(
                        "vectors that copy one array",
                        () -> HostileValues.copying(50_000, 5_000, Vector.class),
                        "references"),
                serialized(
                        "some maps of enums",
                        () -> HostileValues.serialized(HostileValues.many(
                                2_490, i -> new EnumMap<>(Map.of(Character.UnicodeScript.LATIN, "")))),
                        null),
                serialized(
                        "maps of enums",
                        () -> HostileValues.serialized(HostileValues.many(
                                10_000, i -> new EnumMap<>(Map.of(Character.UnicodeScript.LATIN, "")))),
                        "references"),
                serialized("lists 300 deep", () -> HostileValues.serialized(HostileValues.doubling(300, 1)), "depth"),
                serialized(
                        "a list of 2 billion times the same",
                        () -> HostileValues.inSet(Collections.nCopies(Integer.MAX_VALUE, "x")),
                        "never allowed"),
                serialized(
                        "empty strings",
                        () -> HostileValues.serialized(HostileValues.many(9_900, i -> new String())),
                        null),
                serialized(
                        "objects without fields",
                        () -> HostileValues.serialized(HostileValues.many(9_900, i -> new HostileValues.Nothing())),
                        null),
                serialized(
                        "empty maps",
                        () -> HostileValues.serialized(HostileValues.many(9_900, i -> new HashMap<>())),
                        null),
                serialized(
                        "maps of null",
                        () -> HostileValues.serialized(HostileValues.many(3_300, i -> {
                            Map<Object, Object> one = new HashMap<>();
                            one.put(null, null);
                            return one;
                        })),
                        null),
                serialized(
                        "concurrent maps",
                        () -> HostileValues.serialized(HostileValues.many(270, i -> new ConcurrentHashMap<>())),
                        null),
                serialized(
                        "a name that no class has", () -> HostileValues.unknownName("java.util", 7), "ClassNotFound"),
                serialized("a name outside the list", () -> HostileValues.unknownName("com.evil", 7), "not allowed"));
    }

    private static Attack claim(String name, Object honest) {
        return serialized(name + " that claims a length", () -> HostileValues.claiming(honest, 7, MANY), "");
    }

    @ParameterizedTest
    @MethodSource("serialization")
    void serializedValuesCostInProportion(Attack attack) {
        byte[] value = attack.value.get();
        assertThat(value.length).isLessThan(ValueOracle.MIB);
        assertTimeoutPreemptively(HANG, () -> {
            ValueOracle.Outcome outcome = ValueOracle.decode(ANYTHING, value, SERIALIZED);
            if (attack.reason == null) {
                assertThat(outcome.text()).isEqualTo(ValueOracle.READ);
            } else {
                assertThat(outcome.text()).isNotEqualTo(ValueOracle.READ).contains(attack.reason);
            }
            long times = outcome.isRead() || attack.isRefusedLate ? ValueOracle.OF_THE_JDK : ValueOracle.OF_THE_JDK / 4;
            outcome.assertTakesNoMoreThan(ValueOracle.MIB + times * value.length);
        });
    }
}
