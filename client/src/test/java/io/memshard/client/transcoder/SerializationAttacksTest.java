// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import static io.memshard.client.transcoder.HostileValues.claiming;
import static io.memshard.client.transcoder.HostileValues.collidingLists;
import static io.memshard.client.transcoder.HostileValues.collidingNumbers;
import static io.memshard.client.transcoder.HostileValues.collidingStrings;
import static io.memshard.client.transcoder.HostileValues.collidingTrees;
import static io.memshard.client.transcoder.HostileValues.doubling;
import static io.memshard.client.transcoder.HostileValues.farBit;
import static io.memshard.client.transcoder.HostileValues.inSet;
import static io.memshard.client.transcoder.HostileValues.inTurn;
import static io.memshard.client.transcoder.HostileValues.longLists;
import static io.memshard.client.transcoder.HostileValues.many;
import static io.memshard.client.transcoder.HostileValues.narrowHashtable;
import static io.memshard.client.transcoder.HostileValues.numbersOfOneArray;
import static io.memshard.client.transcoder.HostileValues.queueOf;
import static io.memshard.client.transcoder.HostileValues.serialized;
import static io.memshard.client.transcoder.HostileValues.setOf;
import static io.memshard.client.transcoder.HostileValues.setOfLongCycle;
import static io.memshard.client.transcoder.HostileValues.unknownName;

import java.lang.Character.UnicodeScript;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Serialized values made to harm the reader: each is refused, or read at a price in proportion. */
class SerializationAttacksTest {

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

    private static Attack read(String name, Supplier<byte[]> value) {
        return new Attack(name, value, null, false);
    }

    private static Attack refused(String name, Supplier<byte[]> value, String reason) {
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
                read("lists in a set that cost what is allowed", () -> inSet(doubling(4, 9))),
                read("a few lists that collide", () -> setOf(collidingLists(500))),
                read("strings that collide", () -> setOf(collidingStrings(13))),
                read("numbers that collide", () -> setOf(collidingNumbers(300, 400))),
                read("maps that collide", () -> setOf(collidingTrees(40, 50))),
                read("a Hashtable of one place", () -> narrowHashtable(4_900)),
                read("a map of a tiny load factor", () -> HostileStreams.loadFactor(serialized(map), 0.75f, 1e-30f)),
                read(
                        "maps of enums",
                        () -> serialized(many(2_490, i -> new EnumMap<>(Map.of(UnicodeScript.LATIN, ""))))),
                read("objects without fields", () -> serialized(many(9_900, i -> new HostileValues.Nothing()))),
                read("empty maps", () -> serialized(many(9_900, i -> new HashMap<>()))),
                read("concurrent maps", () -> serialized(many(270, i -> new ConcurrentHashMap<>()))),
                refused("lists in a set", () -> inSet(doubling(17, 30)), "references"),
                refused("a list of itself in a set", HostileValues::setOfItself, "StackOverflow"),
                refused("lists that collide", () -> setOf(collidingLists(20_000)), "references"),
                refused(
                        "many maps of enums",
                        () -> serialized(many(10_000, i -> new EnumMap<>(Map.of(UnicodeScript.LATIN, "")))),
                        "references"),
                refused(
                        "a queue of two long strings",
                        () -> queueOf(inTurn(20_000, "a".repeat(400_000), "a".repeat(400_001))),
                        "references"),
                refused(
                        "a queue of two long builders",
                        () -> queueOf(inTurn(
                                20_000,
                                new StringBuilder("a".repeat(150_000)),
                                new StringBuilder("a".repeat(150_001)))),
                        "references"),
                refused("a far bit, many times", () -> setOf(inTurn(2_500, farBit(7_900_000))), "references"),
                refused(
                        "numbers that collide with a long one",
                        () -> setOf(collidingNumbers(300_000, 400)),
                        "references"),
                refused("numbers that copy one array", () -> numbersOfOneArray(200_000, 5_000), "references"),
                refused(
                        "a list of 2 billion times the same",
                        () -> inSet(Collections.nCopies(Integer.MAX_VALUE, "x")),
                        "never allowed"),
                refused(
                        "lists in a queue of the JDK that hides them",
                        () -> HostileStreams.hiddenInAQueue(inSet(doubling(17, 30))),
                        "never allowed"),
                refused("superclasses of superclasses", () -> HostileStreams.superclasses(30_000), "depth"),
                refused("lists 300 deep", () -> serialized(doubling(300, 1)), "depth"),
                refused("a name that no class has", () -> unknownName("java.util", 7), "ClassNotFound"),
                refused("a name outside the list", () -> unknownName("com.evil", 7), "not allowed"),
                refusedLate(
                        "a name outside the list, hidden",
                        () -> HostileStreams.hidden(unknownName("com.evil", 7)),
                        "not allowed"),
                refusedLate(
                        "lists 300 deep, hidden", () -> HostileStreams.hidden(serialized(doubling(300, 1))), "depth"),
                refusedLate(
                        "many objects, hidden",
                        () -> HostileStreams.hidden(serialized(many(12_000, i -> new HostileValues.Nothing()))),
                        "references"),
                refusedLate("a list of itself and many others in a set", () -> setOfLongCycle(9_900), "StackOverflow"),
                refusedLate(
                        "a Map.of with a key and no value",
                        () -> claiming(Map.of("a", "b", "c", "d"), 4, 3),
                        "InternalError"),
                refused("lists in lists that claim a length", () -> HostileStreams.claimingLists(19, MANY), "array"),
                refused("lists that claim a length", () -> longLists(20, MANY), "array"),
                refused("a list that claims to be short", () -> longLists(1, -1), "cannot be"),
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
                claim("Set.of", Set.copyOf(seven)));
    }

    private static Attack claim(String name, Object honest) {
        return refused(name + " that claims a length", () -> claiming(honest, 7, MANY), "");
    }

    @ParameterizedTest
    @MethodSource("serialization")
    void serializedValuesCostInProportion(Attack attack) {
        byte[] value = attack.value.get();
        ValueOracle.Outcome outcome =
                ValueOracle.decodeAttack(ANYTHING, value, SERIALIZED).assertIs(attack.reason);
        long times = outcome.isRead() || attack.isRefusedLate ? ValueOracle.OF_THE_JDK : ValueOracle.OF_THE_JDK / 4;
        outcome.assertTakesNoMoreThan(ValueOracle.MIB + times * value.length);
    }
}
