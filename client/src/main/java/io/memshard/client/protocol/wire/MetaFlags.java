// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Flags of one meta request in the form in which they are sent, without the opaque.
 *
 * <p>This class knows which flags memcached introduced after the meta commands. An older server rejects a request with
 * such a flag, or ignores the flag.
 *
 * <p>Threading: confined to the thread that makes the request.
 */
public final class MetaFlags {

    private static final Pattern APPENDS = Pattern.compile(" M[APap]");

    /** Flags with a time to live: {@code T} for the item, and {@code N} for an item that is created on a miss. */
    private static final Pattern EXPTIME = Pattern.compile("( [TN])(\\d{1,10})");

    /** Unix time in 1970. An item with this exptime is already expired when it is stored. */
    private static final int OVER_SINCE_1970 = 30 * 24 * 60 * 60 + 1;

    private final StringBuilder text = new StringBuilder();

    /** Adds a flag. */
    public MetaFlags add(char letter) {
        text.append(' ').append(letter);
        return this;
    }

    /** Adds a flag with an unsigned number. */
    public MetaFlags add(char letter, long unsigned) {
        text.append(' ').append(letter).append(Long.toUnsignedString(unsigned));
        return this;
    }

    /** Adds a flag whose token is one letter, such as a mode. */
    public MetaFlags add(char letter, char token) {
        text.append(' ').append(letter).append(token);
        return this;
    }

    /** Returns whether the flags include one with this letter. */
    public boolean has(char letter) {
        return text.indexOf(" " + letter) >= 0;
    }

    /** Returns the token after the letter of a flag, such as a mode; null if no flag has this letter. */
    @Nullable
    public String token(char letter) {
        int start = text.indexOf(" " + letter);
        if (start < 0) {
            return null;
        }
        int end = text.indexOf(" ", start + 1);
        return text.substring(start + 2, end < 0 ? text.length() : end);
    }

    /** Returns a copy without the flags that have one of these letters. */
    public MetaFlags without(String letters) {
        MetaFlags fewer = new MetaFlags();
        for (String flag : text.toString().split(" ", -1)) {
            if (!flag.isEmpty() && letters.indexOf(flag.charAt(0)) < 0) {
                fewer.text.append(' ').append(flag);
            }
        }
        return fewer;
    }

    /** Returns whether the mode is append or prepend. */
    public boolean appends() {
        return APPENDS.matcher(text).find();
    }

    /**
     * Returns a copy in which each time to live is capped, both of the item and of an item that is created on a miss.
     */
    public MetaFlags withExptimesAtMost(int seconds) {
        MetaFlags shorter = new MetaFlags();
        shorter.text.append(EXPTIME.matcher(text)
                .replaceAll(flag -> flag.group(1) + limited(Integer.parseInt(flag.group(2)), seconds)));
        return shorter;
    }

    /** Returns all flags in ASCII, each after a space. */
    public byte[] toBytes() {
        return text.toString().getBytes(US_ASCII);
    }

    /**
     * Returns the flags that a server with meta commands may not know, each with the first memcached version that has
     * it.
     */
    public String requirements() {
        StringBuilder needs = new StringBuilder();
        need(needs, 'b', "(binary keys) needs memcached 1.6.10 or later");
        need(needs, 'E', "(explicit cas) needs memcached 1.6.27 or later");
        need(needs, 'x', "(delete that keeps the item) needs memcached 1.6.27 or later");
        return needs.isEmpty() ? "a later version of memcached is needed" : needs.toString();
    }

    private void need(StringBuilder needs, char letter, String what) {
        if (has(letter)) {
            needs.append(needs.isEmpty() ? "" : ", ").append(letter).append(' ').append(what);
        }
    }

    @Override
    public String toString() {
        return text.toString();
    }

    /**
     * Returns {@code exptime}, capped so that the item lives for at most {@code seconds}. A unix time is replaced by
     * the cap, because shorter times are written in seconds. The exception is the unix time of an item that is already
     * expired.
     *
     * @param seconds the cap in seconds, from 1 to 2,592,000 (30 days)
     */
    public static int limited(int exptime, int seconds) {
        boolean isLonger = exptime == 0 || exptime > seconds;
        return isLonger && exptime != OVER_SINCE_1970 ? seconds : exptime;
    }
}
