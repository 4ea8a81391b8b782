// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Random commands over few keys, so that they meet each other's items, malformed ones among them. */
final class RandomCommand {

    private static final List<String> KEYS = List.of("a", "b", "c", "num", "longer-key", "Zm9v", "Zg=A", "noreply");
    private static final List<String> VALUES =
            List.of("", "1", "99", "1234567", "abc", "x y", "value", "7\0x", "5 x", "000000000000000000000000000012");
    private static final List<String> EXPTIMES = List.of("80", "80", "0", "-1");

    private static final List<String> GET_FLAGS =
            List.of("v", "k", "t", "f", "c", "s", "q", "u", "O7", "T60", "N30", "N-1", "R50", "Z", "T0");
    private static final List<String> SET_FLAGS =
            List.of("k", "c", "q", "O8", "T40", "F9", "I", "C3", "C20", "MS", "ME", "MA", "MP", "MR", "MX", "b", "T0");
    private static final List<String> DELETE_FLAGS = List.of("k", "q", "I", "T30", "C5", "O9", "Z");
    private static final List<String> ARITHMETIC_FLAGS =
            List.of("v", "t", "c", "k", "q", "N30", "N-1", "J10", "D5", "MI", "M+", "O1", "T20", "C9");

    /** Flags that need special care, or that apply to another command or to none. */
    private static final List<String> MORE_FLAGS = all(
            List.of("h", "l", "MD", "M-", "M", "Mxx", "R", "S3", "P", "L", "!", "\u00e9", "vv", "v\0x", "b"),
            List.of("T", "Tx", "T-1", "N1x", "Fx", "F-0", "F4294967295", "F4294967296", "Cx", "C0", "C-0", "J5"),
            List.of("D-0", "D1000000", "D18446744073709551615", "J-18446744073709551615"),
            List.of("O", "O" + "9".repeat(31), "O" + "9".repeat(32)));

    /**
     * Other commands, but no {@code flush_all} in the future: memcached then forgets an earlier flush, so some flushed
     * items are back. The choice of these items depends on where memcached has reclaimed memory.
     */
    private static final List<String> OTHERS = all(
            List.of("", " ", "\0", "foo bar", "slabs", "lru", "version", "version\0x"),
            List.of("mn", "mn x", "mz", "MG a", "m", "mg", "ms", "ms a", "md", "ma"),
            List.of("get", "gets", "gat", "gat 1", "set", "cas", "incr", "touch", "delete", "delete noreply"),
            List.of("verbosity", "verbosity 1", "verbosity x", "verbosity 1 2 3"),
            List.of("stats reset", "stats foo", "stats detail"),
            List.of("flush_all", "flush_all -1", "flush_all x", "flush_all noreply"));

    /** None is a length of a data block that would swallow the rest of a script, or a flag of later versions. */
    private static final List<String> JUNK = all(
            List.of("-1", "0", "-0", "+5", "1x", "1.5", "?", "noreply", "\t", "\0", "7\0x", "\u00e9"),
            List.of("4294967296", "-4294967297", "99999999999999999999"),
            List.of("18446744073709551615", "-18446744073709551611"),
            List.of("k".repeat(250), "k".repeat(251)));

    @SafeVarargs
    private static List<String> all(List<String>... kinds) {
        List<String> all = new ArrayList<>();
        for (List<String> kind : kinds) {
            all.addAll(kind);
        }
        return all;
    }

    private final Random random;

    RandomCommand(Random random) {
        this.random = random;
    }

    /** The next command, with its data block if it has one. */
    String next() {
        return switch (random.nextInt(8)) {
            case 0 -> pick(OTHERS) + "\r\n";
            case 1, 2 -> malformed(wellFormed());
            default -> wellFormed();
        };
    }

    private String wellFormed() {
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

    private String flags(List<String> choices) {
        StringBuilder flags = new StringBuilder();
        int count = random.nextInt(5);
        for (int i = 0; i < count; i++) {
            flags.append(' ').append(pick(random.nextInt(6) == 0 ? MORE_FLAGS : choices));
        }
        return flags.toString();
    }

    private String noreply() {
        return random.nextInt(4) == 0 ? " noreply" : "";
    }

    /** The command with one mistake in its line or its data. */
    private String malformed(String command) {
        int lineEnd = command.indexOf("\r\n");
        String line = command.substring(0, lineEnd);
        String data = command.substring(lineEnd + 2);
        int blank = line.indexOf(' ', random.nextInt(line.length()));
        int at = blank < 0 ? line.length() : blank;
        String before = line.substring(0, at);
        String behind = line.substring(at);
        return switch (random.nextInt(9)) {
            case 0 -> before + "\r\n" + data;
            case 1 -> before.substring(0, before.lastIndexOf(' ') + 1) + pick(JUNK) + behind + "\r\n" + data;
            case 2 -> before + " " + pick(JUNK) + behind + "\r\n" + data;
            case 3 -> before + "  " + behind + " \r\n" + data;
            case 4 -> line.toUpperCase(Locale.ROOT) + "\r\n" + data;
            case 5 -> line + "\n" + data;
            case 6 -> line + " ?".repeat(random.nextInt(1, 30)) + "\r\n" + data;
            case 7 -> line + "\r\n" + (data.isEmpty() ? "" : "y" + data);
            default -> line + "\r\n" + (data.isEmpty() ? "" : data.substring(1));
        };
    }

    private <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
