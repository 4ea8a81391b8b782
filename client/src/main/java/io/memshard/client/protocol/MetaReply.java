// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import org.jspecify.annotations.Nullable;

/** Reply to a meta command. The connection's reader fills it before the caller reads it. */
public final class MetaReply {

    /** Client flags ({@code LOAD} in ASCII) of a placeholder. No transcoder uses them. */
    public static final int HELD_PLACE = 0x4C4F4144;

    /** Flags, those with numbers first. A flag's index is also its index in {@link #numbers} and its bit number. */
    private static final String LETTERS = "cfhlstvWXZ";

    private static final int NUMBERS = 7;

    private final StoreStatus status;
    private int present;
    private long @Nullable [] numbers;
    private byte @Nullable [] data;

    MetaReply(StoreStatus status) {
        this.status = status;
    }

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
            numbers = new long[NUMBERS];
        }
        numbers[LETTERS.indexOf(letter)] = number;
        put(letter);
    }

    void setData(byte @Nullable [] block) {
        data = block;
    }

    /** Returns the outcome for the item. A hit of {@code mg} is {@code DONE}, and a miss is {@code NOT_FOUND}. */
    public StoreStatus status() {
        return status;
    }

    /** Returns whether the reply has the flag. A {@code W} to reload a placeholder early does not count. */
    public boolean has(char letter) {
        return (present & 1 << LETTERS.indexOf(letter)) != 0 && !(letter == 'W' && isHeld() && !has('X'));
    }

    public static boolean isHeldPlace(byte[] data, int flags) {
        return data.length == 0 && flags == HELD_PLACE;
    }

    private boolean isHeld() {
        return data != null && isHeldPlace(data, (int) number('f'));
    }

    public long number(char letter) {
        return numbers == null ? 0 : numbers[LETTERS.indexOf(letter)];
    }

    public long requested(char letter, String how) {
        if (!has(letter)) {
            throw new IllegalStateException(
                    "the reply (" + status + ") has no flag " + letter + ": request the flag with " + how);
        }
        return number(letter);
    }

    public byte @Nullable [] data() {
        return data;
    }

    /** Returns whether the item is the empty placeholder of a value that a caller is loading. */
    public boolean isPlaceholder() {
        return isHeld() || (data != null && data.length == 0 && (has('W') || has('Z') || has('X')));
    }

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
                if (i < NUMBERS) {
                    text.append(letter == 'c' ? Long.toUnsignedString(number(letter)) : number(letter) + "");
                }
            }
        }
        return text.toString();
    }
}
