// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reply to a meta command: a status, the flags that the server returned, and a value if there is one.
 *
 * <p>Threading: the reader of the connection fills the reply; the caller reads it after the command is complete.
 */
public final class MetaReply {

    /**
     * Client flags, {@code LOAD} in ASCII, of a placeholder that a client has stored while it loads the value. No
     * transcoder of this project writes these flags. A placeholder that {@code mg} with {@code N} has created has the
     * flag {@code W} or {@code Z} instead. These flags are lost when the client stores the placeholder again to extend
     * its time to live.
     */
    public static final int HELD_PLACE = 0x4C4F4144;

    private static final String MARKS = "WXZ";

    /** Flags with a number, in the order of {@link #numbers}. */
    private static final String NUMBERS = "cfhlstv";

    /** All flags; the position of a flag is the number of its bit in {@link #present}. */
    private static final String LETTERS = MARKS + NUMBERS;

    private final StoreStatus status;
    private int present;
    private long @Nullable [] numbers;
    private byte @Nullable [] data;

    MetaReply(StoreStatus status) {
        this.status = status;
    }

    /** Returns a reply without flags and value. */
    public static MetaReply of(StoreStatus status) {
        return status.reply;
    }

    static MetaReply ofItem(byte[] data, int clientFlags, long casUnique) {
        MetaReply reply = new MetaReply(StoreStatus.DONE);
        reply.put((byte) 'f', Integer.toUnsignedLong(clientFlags));
        reply.put((byte) 'c', casUnique);
        reply.setData(data);
        return reply;
    }

    void put(byte letter) {
        present |= 1 << LETTERS.indexOf(letter);
    }

    void put(byte letter, long number) {
        if (numbers == null) {
            numbers = new long[NUMBERS.length()];
        }
        numbers[NUMBERS.indexOf(letter)] = number;
        put(letter);
    }

    void setData(byte @Nullable [] block) {
        data = block;
    }

    /** Returns the outcome for the item; a hit of {@code mg} is {@code DONE}, a miss {@code NOT_FOUND}. */
    public StoreStatus status() {
        return status;
    }

    /**
     * Returns whether the reply has the flag, one of {@code c f h l s t v W X Z}. Ignores the {@code W} of a {@link
     * #HELD_PLACE} that is not stale, which the server grants as an early reload although a caller is already loading.
     */
    public boolean has(char letter) {
        return (present & 1 << LETTERS.indexOf(letter)) != 0 && !(letter == 'W' && isHeld() && !has('X'));
    }

    public static boolean isHeldPlace(byte[] data, int flags) {
        return data.length == 0 && flags == HELD_PLACE;
    }

    private boolean isHeld() {
        return data != null && isHeldPlace(data, (int) number('f'));
    }

    /** Returns the number in a flag, one of {@code c f h l s t v}; 0 if the reply lacks the flag. */
    public long number(char letter) {
        return numbers == null ? 0 : numbers[NUMBERS.indexOf(letter)];
    }

    /** Returns the same as {@link #number}. Throws if the reply lacks the flag, which {@code how} would request. */
    public long requested(char letter, String how) {
        if (!has(letter)) {
            throw new IllegalStateException(status + " reply lacks " + letter + ": request it with " + how);
        }
        return number(letter);
    }

    /** Returns the remaining time to live, like {@link #requested}; empty if the item never expires. */
    public Optional<Duration> ttl(String how) {
        long seconds = requested('t', how);
        return seconds < 0 ? Optional.empty() : Optional.of(Duration.ofSeconds(seconds));
    }

    /** Returns the value, not copied; null if the reply has none. */
    public byte @Nullable [] data() {
        return data;
    }

    /** Returns whether the item is an empty placeholder for a value that this or another client is loading. */
    public boolean isPlaceholder() {
        return isHeld() || (data != null && data.length == 0 && (has('W') || has('Z') || has('X')));
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(status.toString());
        if (data != null) {
            text.append(", ").append(data.length).append(" bytes");
        }
        for (char letter : LETTERS.toCharArray()) {
            if (has(letter)) {
                text.append(' ').append(letter);
                text.append(MARKS.indexOf(letter) < 0 ? Long.toUnsignedString(number(letter)) : "");
            }
        }
        return text.toString();
    }
}
