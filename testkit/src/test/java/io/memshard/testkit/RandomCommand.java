// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Random commands over few keys, so that they meet each other's items. */
final class RandomCommand {

    private static final List<String> KEYS = List.of("a", "b", "c", "num", "longer-key");
    private static final List<String> VALUES =
            List.of("", "1", "99", "1234567", "abc", "x y", "value", "000000000000000000000000000012");
    private static final List<String> EXPTIMES = List.of("80", "80", "0", "-1");

    private static final List<String> GET_FLAGS =
            List.of("v", "k", "t", "f", "c", "s", "q", "u", "h", "l", "O7", "T60", "N30", "R50", "T0");
    private static final List<String> SET_FLAGS =
            List.of("k", "c", "q", "O8", "T40", "F9", "I", "C3", "C20", "MS", "ME", "MA", "MP", "MR", "T0");
    private static final List<String> DELETE_FLAGS = List.of("k", "q", "I", "T30", "C5", "O9");
    private static final List<String> ARITHMETIC_FLAGS =
            List.of("v", "t", "c", "k", "q", "N30", "J10", "D5", "MI", "MD", "O1", "T20", "C9");

    private final Random random;

    RandomCommand(Random random) {
        this.random = random;
    }

    /** The next command, with its data block if it has one. */
    String next() {
        String key = pick(KEYS);
        return switch (random.nextInt(17)) {
            case 0 -> "get " + key + " " + pick(KEYS) + "\r\n";
            case 1 -> "gets " + key + "\r\n";
            case 2 -> "gat 50 " + key + "\r\n";
            case 3 -> "gats 50 " + key + " " + pick(KEYS) + "\r\n";
            case 4 -> storage("set", key);
            case 5 -> storage(pick(List.of("add", "replace", "append", "prepend")), key);
            case 6 -> compareAndSet(key);
            case 7 -> "delete " + key + noreply() + "\r\n";
            case 8 -> "touch " + key + " 70" + noreply() + "\r\n";
            case 9, 10 -> "mg " + key + flags(GET_FLAGS) + "\r\n";
            case 11 -> metaSet(key);
            case 12 -> "md " + key + flags(DELETE_FLAGS) + "\r\n";
            case 13 -> "incr " + key + " " + random.nextInt(50) + noreply() + "\r\n";
            case 14 -> "decr " + key + " " + random.nextInt(50) + noreply() + "\r\n";
            default -> "ma " + key + flags(ARITHMETIC_FLAGS) + "\r\n";
        };
    }

    private String storage(String verb, String key) {
        String value = pick(VALUES);
        return verb + " " + key + " " + random.nextInt(3) + " " + pick(EXPTIMES) + " " + value.length() + noreply()
                + "\r\n" + value + "\r\n";
    }

    private String compareAndSet(String key) {
        String value = pick(VALUES);
        int cas = random.nextInt(30);
        return "cas " + key + " 0 " + pick(EXPTIMES) + " " + value.length() + " " + cas + noreply() + "\r\n" + value
                + "\r\n";
    }

    private String metaSet(String key) {
        String value = pick(VALUES);
        return "ms " + key + " " + value.length() + flags(SET_FLAGS) + "\r\n" + value + "\r\n";
    }

    /** Returns some of the flags, each at most once and at most one mode, in random order. */
    private String flags(List<String> choices) {
        StringBuilder flags = new StringBuilder();
        Set<Character> letters = new HashSet<>();
        for (int count = random.nextInt(5); count > 0; count--) {
            String flag = pick(choices);
            flags.append(letters.add(flag.charAt(0)) ? " " + flag : "");
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
