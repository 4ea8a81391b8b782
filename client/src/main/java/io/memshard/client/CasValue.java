// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

/**
 * Value of an item, and the item's cas unique, which a later {@code cas} compares.
 *
 * @param casUnique the version of the item, assigned by the server; 64 bits, unsigned. A server with cas disabled
 *     ({@code memcached -C}) returns 0, which {@code cas} rejects
 */
public record CasValue<V>(V value, long casUnique) {

    /**
     * Returns {@code casUnique} after checking that it is not 0.
     *
     * @throws IllegalArgumentException if casUnique is 0
     */
    public static long checkCasUnique(long casUnique) {
        if (casUnique == 0) {
            throw new IllegalArgumentException("casUnique is 0: pass the casUnique that gets() returned;"
                    + " a server without cas (memcached -C) always returns 0");
        }
        return casUnique;
    }

    /** Shows the cas unique and the type of the value, never the value itself. */
    @Override
    public String toString() {
        return "CasValue[a " + value.getClass().getSimpleName() + ", casUnique=" + Long.toUnsignedString(casUnique)
                + ']';
    }
}
