// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import org.jspecify.annotations.Nullable;

/**
 * The reply to a meta command: a status, the flags that came with it, and a value if there is one.
 *
 * <p>Threading: filled by the reader of the connection, read by the caller after the command is complete.
 */
public final class MetaReply {

    /**
     * Client flags of an empty item that a client has stored as the placeholder for a value that it is loading. The
     * flags are {@code LOAD} in ASCII, and no transcoder of this project writes them. The flags {@code W} and {@code Z}
     * mark a placeholder that {@code mg} with {@code N} has created. This mark is lost when a client stores the
     * placeholder again to extend its time to live.
     */
    public static final int HELD_PLACE = 0x4C4F4144;

    /** Flags without a number. */
    private static final String MARKS = "WXZ";

    /** Flags with a number. The position here is the index in {@link #numbers}. */
    private static final String NUMBERS = "cfhlstv";

    /** All flags. The position here is the number of the bit in {@link #present}. */
    private static final String LETTERS = MARKS + NUMBERS;

    private final StoreStatus status;
    private int present;
    private long @Nullable [] numbers;
    private byte @Nullable [] data;

    /** Creates a reply with a status and nothing else. */
    public MetaReply(StoreStatus status) {
        this.status = status;
    }

    /** Creates the reply for a hit of a {@link MetaGet}. */
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
     * Returns whether the reply has the flag, one of {@code c f h l s t v W X Z}. A {@code W} that was not requested
     * does not count, because it is released. The {@code W} of a {@link #HELD_PLACE} that is not invalidated does not
     * count either. The server sends that {@code W} because the placeholder's time to live is below the limit for an
     * early reload. But a caller is already loading the value.
     */
    public boolean has(char letter) {
        return (present & 1 << LETTERS.indexOf(letter)) != 0 && !(letter == 'W' && isHeld() && !has('X'));
    }

    /** Returns whether an item is a {@link #HELD_PLACE}. */
    public static boolean isHeldPlace(byte[] data, int flags) {
        return data.length == 0 && flags == HELD_PLACE;
    }

    private boolean isHeld() {
        return data != null && isHeldPlace(data, (int) number('f'));
    }

    /** Returns the number in a flag, one of {@code c f h l s t v}; 0 if the reply does not have the flag. */
    public long number(char letter) {
        return numbers == null ? 0 : numbers[NUMBERS.indexOf(letter)];
    }

    /** Returns the value, not copied; null if the reply has none. */
    public byte @Nullable [] data() {
        return data;
    }

    /** Returns whether the item is an empty placeholder for a value that this or another client is loading. */
    public boolean isPlaceholder() {
        return isHeld() || (data != null && data.length == 0 && (has('W') || has('Z') || has('X')));
    }

    /** Returns the status, the length of the value, and the flags as they are written. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(status.toString());
        if (data != null) {
            text.append(", ").append(data.length).append(" bytes");
        }
        for (int i = 0; i < LETTERS.length(); i++) {
            char letter = LETTERS.charAt(i);
            if (has(letter)) {
                text.append(' ').append(letter);
                if (letter == 'c') {
                    text.append(Long.toUnsignedString(number(letter)));
                } else if (NUMBERS.indexOf(letter) >= 0) {
                    text.append(number(letter));
                }
            }
        }
        return text.toString();
    }
}
