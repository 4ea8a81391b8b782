// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.attacks;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Table of several hundred texts that are not memcached keys: a client must reject each, and send no byte of it.
 *
 * <p>A key has 1 to 250 bytes of UTF-8 without spaces and control characters. After a space or a line end in a key, a
 * server would treat the rest as flags or as a command. UTF-8 cannot encode an unpaired surrogate; code that drops the
 * upper byte of a char writes some surrogates as line ends.
 *
 * <p>{@code Protocol}: protocol.txt, section "Keys".
 */
final class BadKeys {

    private static final int MAX_BYTES = 250;
    private static final int DELETE = 0x7f;

    private static final int[] LENGTHS = {251, 252, 255, 256, 257, 300, 511, 1_000, 2_048, 4_096, 8_192, 65_536, 1 << 20
    };

    /** Characters of two, three and four bytes. */
    private static final List<String> LONG_CHARACTERS =
            List.of("\u00fc", "\u0080", "\u07ff", "\u0800", "\u20ac", "\uffff", "\ud800\udc00", "\ud83d\ude00");

    /** First and last surrogates, and those whose lower byte is a NUL, line end, space or DELETE. */
    private static final char[] SURROGATES = {
        '\ud800', '\ud80a', '\ud80d', '\ud820', '\ud87f', '\udbff', '\udc00', '\udc0a', '\udc0d', '\udc20', '\udc7f',
        '\udfff'
    };

    private BadKeys() {}

    /** Returns the texts by a name that describes their fault, in the same order in each run. */
    static Map<String, String> byName() {
        Map<String, String> keys = new LinkedHashMap<>();
        keys.put("empty", "");
        for (int length : LENGTHS) {
            keys.put(length + " bytes of ASCII", "x".repeat(length));
        }
        addTooLong(keys);
        IntStream.rangeClosed(0, ' ').forEach(character -> addCharacter(keys, (char) character));
        addCharacter(keys, (char) DELETE);
        for (char surrogate : SURROGATES) {
            addSurrogate(keys, surrogate);
        }
        return Collections.unmodifiableMap(keys);
    }

    /** Adds texts of few characters, but too many bytes. */
    private static void addTooLong(Map<String, String> keys) {
        for (String character : LONG_CHARACTERS) {
            String name = "U+%04X".formatted(character.codePointAt(0));
            int bytes = character.getBytes(StandardCharsets.UTF_8).length;
            keys.put("too many " + name, character.repeat(MAX_BYTES / bytes + 1));
            keys.put("ASCII, then " + name, "x".repeat(MAX_BYTES + 1 - bytes) + character);
            keys.put(name + ", then ASCII", character + "x".repeat(MAX_BYTES + 1 - bytes));
        }
    }

    private static void addInEachPlace(Map<String, String> keys, String name, char character) {
        keys.put(name + " alone", String.valueOf(character));
        keys.put(name + " first", character + "key");
        keys.put(name + " within", "ke" + character + "y");
        keys.put(name + " last", "key" + character);
    }

    private static void addCharacter(Map<String, String> keys, char character) {
        String name = "0x%02x".formatted((int) character);
        addInEachPlace(keys, name, character);
        keys.put(name + " after a character of three bytes", "\u20ac" + character);
        keys.put(name + " as byte 250", "x".repeat(MAX_BYTES - 1) + character);
    }

    private static void addSurrogate(Map<String, String> keys, char surrogate) {
        String name = "surrogate 0x%04x".formatted((int) surrogate);
        addInEachPlace(keys, name, surrogate);
        keys.put(name + " twice", "" + surrogate + surrogate);
        keys.put(
                name + " before a pair",
                Character.isHighSurrogate(surrogate) ? surrogate + "\ud83d\ude00" : "\ud83d\ude00" + surrogate);
    }
}
