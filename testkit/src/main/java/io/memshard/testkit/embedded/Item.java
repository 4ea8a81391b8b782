// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.embedded;

import java.util.Arrays;

/** Stored item. Confined to the thread of its {@link ItemStore}. */
final class Item {

    /** Bytes of an item besides key and value: header, cas unique, a NUL after the key, line end after the value. */
    private static final int OVERHEAD_BYTES = 48 + 8 + 1 + 2;

    final String key;
    final int clientFlags;
    byte[] value;
    long cas;
    long exptime; // absolute second, 0: never
    long lastAccess; // absolute second
    boolean fetched;
    boolean stale;
    boolean tokenSent;

    Item(String key, int clientFlags, long exptime, byte[] value) {
        this.key = key;
        this.clientFlags = clientFlags;
        this.exptime = exptime;
        this.value = value;
    }

    static long sizeBytes(String key, int clientFlags, long valueLength) {
        return OVERHEAD_BYTES + key.length() + valueLength + (clientFlags == 0 ? 0 : 4);
    }

    long sizeBytes() {
        return sizeBytes(key, clientFlags, value.length);
    }

    boolean isExpired(long nowSeconds) {
        return exptime != 0 && exptime <= nowSeconds;
    }

    /** Returns the remaining seconds as an unsigned 32-bit number, or -1 if the item never expires. */
    String ttl(long nowSeconds) {
        return exptime == 0 ? "-1" : Integer.toUnsignedString((int) (exptime - nowSeconds));
    }

    void overwritePadded(byte[] digits) {
        byte[] padded = Arrays.copyOf(digits, value.length);
        Arrays.fill(padded, digits.length, padded.length, (byte) ' ');
        value = padded;
    }
}
