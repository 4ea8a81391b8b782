// SPDX-License-Identifier: Apache-2.0
package io.memshard.template.migration;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.template.migration.Cache.Versioned;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The operations of one thread, each by one of two applications. A read is by both. What it finds must be what was
 * written last, so this has its own keys and remembers their values. It shares two counters with the other threads.
 *
 * <p>Threading: confined to one thread.
 */
final class MixedOperations {

    /** A value that only Java serialization takes. */
    record Order(String customer, List<Integer> amounts) implements Serializable {

        static final String[] CLASSES = {Order.class.getName(), "java.util.ArrayList", "java.lang.Integer"};
    }

    private static final int HOUR = 3600;
    private static final int SOON = 2;
    private static final int KEYS_OF_A_KIND = 40;
    private static final int MANY_KEYS = 30;
    private static final int LONGEST_TEXT = 4_000;
    private static final int ABOVE_THE_COMPRESSION_THRESHOLD = 40_000;

    private final Cache[] applications;
    private final String prefix;
    private final String sharedPrefix;
    private final SplittableRandom random;
    private final Map<String, Object> expected = new HashMap<>();
    private final Set<String> expiring = new HashSet<>();
    private final Map<String, Integer> counts = new HashMap<>();

    MixedOperations(Cache one, Cache other, String sharedPrefix, int thread) {
        applications = new Cache[] {one, other};
        this.sharedPrefix = sharedPrefix;
        prefix = sharedPrefix + thread + ':';
        random = new SplittableRandom(thread);
    }

    static void startShared(Cache application, String sharedPrefix) {
        application.set(sharedPrefix + "incr", "0", HOUR);
        application.set(sharedPrefix + "cas", 0L, HOUR);
    }

    void next() {
        switch (random.nextInt(20)) {
            case 0, 1, 2, 3, 4, 5 -> readByBoth();
            case 6, 7 -> readManyByBoth();
            case 8, 9 -> set();
            case 10 -> addOrReplace();
            case 11, 12 -> compareAndSet();
            case 13 -> appendOrPrepend();
            case 14, 15 -> count();
            case 16 -> touch();
            case 17 -> delete();
            case 18 -> expire();
            default -> countShared();
        }
    }

    /** Returns the number of operations by kind. */
    Map<String, Integer> counts() {
        return counts;
    }

    private void counted(String kind) {
        counts.merge(kind, 1, Integer::sum);
    }

    private Cache either() {
        return applications[random.nextInt(applications.length)];
    }

    private String textKey() {
        return prefix + "text" + random.nextInt(KEYS_OF_A_KIND);
    }

    private String numberKey() {
        return prefix + "number" + random.nextInt(KEYS_OF_A_KIND);
    }

    private String valueKey() {
        return prefix + "value" + random.nextInt(KEYS_OF_A_KIND);
    }

    private String anyKey() {
        return switch (random.nextInt(3)) {
            case 0 -> textKey();
            case 1 -> numberKey();
            default -> valueKey();
        };
    }

    private String text() {
        return "t\u00e9xt " + random.nextLong();
    }

    /** A value that fits what is done with this key. */
    private Object valueFor(String key) {
        if (key.contains("text")) {
            return text();
        }
        return key.contains("number") ? Integer.toString(random.nextInt(1_000)) : value();
    }

    private Object value() {
        return switch (random.nextInt(14)) {
            case 0 -> "";
            case 1 -> text();
            case 2 -> "compressible ".repeat(ABOVE_THE_COMPRESSION_THRESHOLD / 10);
            case 3 -> incompressible();
            case 4 -> random.nextBoolean();
            case 5 -> random.nextInt();
            case 6 -> random.nextLong();
            case 7 -> (byte) random.nextInt();
            case 8 -> (float) random.nextDouble();
            case 9 -> random.nextDouble();
            case 10 -> new Date(random.nextLong(1L << 45));
            case 11 -> new byte[] {1, 0, (byte) random.nextInt()};
            case 12 -> new byte[ABOVE_THE_COMPRESSION_THRESHOLD];
            default -> new Order(text(), new ArrayList<>(List.of(random.nextInt(), 2)));
        };
    }

    private String incompressible() {
        char[] characters = new char[ABOVE_THE_COMPRESSION_THRESHOLD];
        for (int i = 0; i < characters.length; i++) {
            characters[i] = (char) random.nextInt(' ', 0x7f);
        }
        return new String(characters);
    }

    private void readByBoth() {
        counted("get");
        String key = anyKey();
        for (Cache application : applications) {
            assertFound(application, key, application.get(key), expected.get(key));
        }
    }

    private void readManyByBoth() {
        counted("get of many");
        Set<String> keys = new HashSet<>();
        for (int i = random.nextInt(MANY_KEYS); i >= 0; i--) {
            keys.add(anyKey());
        }
        readByBoth(keys);
    }

    private void readByBoth(Collection<String> keys) {
        for (Cache application : applications) {
            Map<String, Object> found = application.getMany(keys);
            for (String key : keys) {
                assertFound(application, key, found.get(key), expected.get(key));
            }
        }
    }

    private static void assertFound(Cache reader, String key, Object found, Object value) {
        // A number that becomes shorter by decr is stored with spaces after it.
        Object read = key.contains("number") && found != null ? ((String) found).stripTrailing() : found;
        assertThat(read)
                .as("%s, read by %s", key, reader.getClass().getSimpleName())
                .isEqualTo(value);
    }

    private void set() {
        counted("set");
        String key = anyKey();
        store(key, valueFor(key));
    }

    private void store(String key, Object value) {
        either().set(key, value, HOUR);
        expected.put(key, value);
    }

    private void addOrReplace() {
        String key = anyKey();
        Object value = valueFor(key);
        boolean add = random.nextBoolean();
        counted(add ? "add" : "replace");
        boolean stored = add ? either().add(key, value, HOUR) : either().replace(key, value, HOUR);
        assertThat(stored).as(key).isEqualTo(add != expected.containsKey(key));
        if (stored) {
            expected.put(key, value);
        }
    }

    /** One gets, perhaps another, and sometimes there was a store between. */
    private void compareAndSet() {
        counted("cas");
        String key = anyKey();
        Versioned found = either().gets(key);
        assertFound(applications[0], key, found == null ? null : found.value(), expected.get(key));
        if (found == null) {
            assertThat(either().cas(key, valueFor(key), 1, HOUR)).as(key).isFalse();
            return;
        }
        boolean tooLate = random.nextInt(4) == 0;
        if (tooLate) {
            store(key, valueFor(key));
        }
        Object value = valueFor(key);
        assertThat(either().cas(key, value, found.casUnique(), HOUR)).as(key).isEqualTo(!tooLate);
        if (!tooLate) {
            expected.put(key, value);
        }
    }

    private void appendOrPrepend() {
        String key = textKey();
        String before = (String) expected.get(key);
        if (before != null && before.length() > LONGEST_TEXT) {
            store(key, text());
            return;
        }
        String more = text();
        boolean append = random.nextBoolean();
        counted(append ? "append" : "prepend");
        boolean stored = append ? either().append(key, more) : either().prepend(key, more);
        assertThat(stored).as(key).isEqualTo(before != null);
        if (stored) {
            expected.put(key, append ? before + more : more + before);
        }
    }

    private void count() {
        String key = numberKey();
        Object before = expected.get(key);
        int delta = random.nextInt(1_000);
        boolean up = random.nextBoolean();
        counted(up ? "incr" : "decr");
        long number = up ? either().incr(key, delta) : either().decr(key, delta);
        if (before == null) {
            assertThat(number).as(key).isEqualTo(-1);
            return;
        }
        long was = Long.parseLong((String) before);
        assertThat(number).as(key).isEqualTo(up ? was + delta : Math.max(0, was - delta));
        expected.put(key, Long.toString(number));
    }

    private void touch() {
        counted("touch");
        String key = anyKey();
        assertThat(either().touch(key, HOUR)).as(key).isEqualTo(expected.containsKey(key));
    }

    private void delete() {
        counted("delete");
        String key = anyKey();
        assertThat(either().delete(key)).as(key).isEqualTo(expected.remove(key) != null);
    }

    /** Half of the values that expire soon get longer to live before they do. */
    private void expire() {
        counted("set of a value that expires");
        String key = prefix + "soon" + random.nextInt(KEYS_OF_A_KIND);
        Object value = value();
        either().set(key, value, SOON);
        expected.remove(key);
        expiring.add(key);
        if (random.nextBoolean() && either().touch(key, HOUR)) {
            expiring.remove(key);
            expected.put(key, value);
        }
    }

    private void countShared() {
        if (random.nextBoolean()) {
            counted("incr of a shared number");
            assertThat(either().incr(sharedPrefix + "incr", 1)).isPositive();
            return;
        }
        counted("cas of a shared number");
        String key = sharedPrefix + "cas";
        boolean stored = false;
        while (!stored) {
            Versioned found = either().gets(key);
            stored = either().cas(key, (long) found.value() + 1, found.casUnique(), HOUR);
        }
    }

    /** All keys of this thread once more. */
    void readAllByBoth() {
        readByBoth(expected.keySet());
        for (Cache application : applications) {
            eventually(
                    "values have expired", () -> application.getMany(expiring).isEmpty());
        }
    }
}
