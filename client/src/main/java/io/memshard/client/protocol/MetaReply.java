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
     * Client flags of an empty item that a client has stored as the placeholder of a value that it loads. They are
     * {@code LOAD} in ASCII, and no transcoder of this project writes them. The server marks a placeholder of {@code mg
     * N} by {@code W} and {@code Z}. That mark is lost when the placeholder is stored again, to make it last longer.
     */
    public static final int HELD_PLACE = 0x4C4F4144;

    private static final int FIRST_LETTER = 'A';
    private static final int LETTERS = 'z' - FIRST_LETTER + 1;

    private final StoreStatus status;
    private final long[] numbers = new long[LETTERS];
    private final boolean[] present = new boolean[LETTERS];
    private byte @Nullable [] data;

    /** Creates a reply with a status and nothing else. */
    public MetaReply(StoreStatus status) {
        this.status = status;
    }

    /** Creates the reply of a plain read that hits. */
    static MetaReply ofItem(byte[] data, int clientFlags, long casUnique) {
        MetaReply reply = new MetaReply(StoreStatus.DONE);
        reply.put((byte) 'f', Integer.toUnsignedLong(clientFlags));
        reply.put((byte) 'c', casUnique);
        reply.setData(data);
        return reply;
    }

    void put(byte letter, long number) {
        numbers[letter - FIRST_LETTER] = number;
        present[letter - FIRST_LETTER] = true;
    }

    void setData(byte @Nullable [] block) {
        data = block;
    }

    /** Returns the outcome for the item; a hit of {@code mg} is {@code DONE}, a miss {@code NOT_FOUND}. */
    public StoreStatus status() {
        return status;
    }

    /**
     * Returns whether the flag, one of {@code c f h l s t v W X Z}, came with the reply. A {@code W} that was not
     * requested is left out, because it is given back. So is the {@code W} of a {@link #HELD_PLACE} that is not
     * invalidated. Its time to live is below that of a request for early recache, but a caller loads it.
     */
    public boolean has(char letter) {
        return present[letter - FIRST_LETTER] && !(letter == 'W' && isHeld() && !has('X'));
    }

    /** Returns whether an item is a {@link #HELD_PLACE}. */
    public static boolean isHeldPlace(byte[] data, int flags) {
        return data.length == 0 && flags == HELD_PLACE;
    }

    private boolean isHeld() {
        return data != null && isHeldPlace(data, (int) number('f'));
    }

    /** Returns the number of a flag, one of {@code c f h l s t v}; 0 if the reply has none. */
    public long number(char letter) {
        return numbers[letter - FIRST_LETTER];
    }

    /** Returns the value, not copied; null if the reply has none. */
    public byte @Nullable [] data() {
        return data;
    }

    /** Returns whether the value is empty and only holds the place of a value that this or another client loads. */
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
        for (char letter = FIRST_LETTER; letter <= 'z'; letter++) {
            if (has(letter)) {
                text.append(' ').append(letter);
                if (letter == 'c') {
                    text.append(Long.toUnsignedString(number(letter)));
                } else if (letter >= 'a') {
                    text.append(number(letter));
                }
            }
        }
        return text.toString();
    }
}
