package io.memshard.testkit;

import java.util.List;
import java.util.Random;

/**
 * Scripts of commands drawn by chance over few keys, so that they meet each other's items.
 *
 * <p>No number gets shorter and no {@code h} is asked for: whether memcached changes a number in place
 * (then padded, and still "hit") or makes a new item depends on what holds the item at that moment.
 */
final class RandomScript {

    private static final List<String> KEYS = List.of("a", "b", "c", "num", "longer-key");
    private static final List<String> VALUES = List.of("", "1", "99", "1234567", "abc", "x y", "value");
    private static final List<String> GET_FLAGS =
            List.of("v", "k", "t", "f", "c", "s", "q", "u", "O7", "T60", "N30", "R50", "Z", "T0");
    private static final List<String> SET_FLAGS =
            List.of("k", "c", "q", "O8", "T40", "F9", "I", "C3", "C20", "MS", "ME", "MA", "MP", "MR", "MX", "b", "T0");
    private static final List<String> DELETE_FLAGS = List.of("k", "q", "I", "T30", "C5", "O9", "Z");
    private static final List<String> ARITHMETIC_FLAGS =
            List.of("v", "t", "c", "k", "q", "N30", "J10", "D5", "MI", "M+", "O1", "T20", "C9");

    private final Random random;

    RandomScript(Random random) {
        this.random = random;
    }

    String commands(int count) {
        StringBuilder script = new StringBuilder();
        for (int i = 0; i < count; i++) {
            script.append(command());
        }
        return script.toString();
    }

    private String command() {
        String key = pick(KEYS);
        return switch (random.nextInt(16)) {
            case 0 -> "get " + key + " " + pick(KEYS) + "\r\n";
            case 1 -> "gets " + key + "\r\n";
            case 2 -> "gat 50 " + key + "\r\n";
            case 3 -> storage("set", key);
            case 4 -> storage(pick(List.of("add", "replace", "append", "prepend")), key);
            case 5 -> compareAndSet(key);
            case 6 -> "delete " + key + noreply() + "\r\n";
            case 7 -> "incr " + key + " " + random.nextInt(50) + noreply() + "\r\n";
            case 8 -> "decr " + key + " 0" + noreply() + "\r\n";
            case 9 -> "touch " + key + " 70" + noreply() + "\r\n";
            case 10, 11 -> "mg " + key + flags(GET_FLAGS) + "\r\n";
            case 12, 13 -> metaSet(key);
            case 14 -> "md " + key + flags(DELETE_FLAGS) + "\r\n";
            default -> "ma " + key + flags(ARITHMETIC_FLAGS) + "\r\n";
        };
    }

    private String storage(String verb, String key) {
        String value = pick(VALUES);
        return verb + " " + key + " " + random.nextInt(3) + " 80 " + value.length() + noreply() + "\r\n" + value
                + "\r\n";
    }

    private String compareAndSet(String key) {
        String value = pick(VALUES);
        int cas = random.nextInt(30);
        return "cas " + key + " 0 80 " + value.length() + " " + cas + noreply() + "\r\n" + value + "\r\n";
    }

    private String metaSet(String key) {
        String value = pick(VALUES);
        return "ms " + key + " " + value.length() + flags(SET_FLAGS) + "\r\n" + value + "\r\n";
    }

    private String flags(List<String> choices) {
        StringBuilder flags = new StringBuilder();
        int count = random.nextInt(5);
        for (int i = 0; i < count; i++) {
            flags.append(' ').append(pick(choices));
        }
        return flags.toString();
    }

    private String noreply() {
        return random.nextInt(4) == 0 ? " noreply" : "";
    }

    private <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
