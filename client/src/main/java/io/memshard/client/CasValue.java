// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

/**
 * Value with the cas unique that the item had at the time of the read, for a later {@code cas}.
 *
 * @param casUnique the version of the item, assigned by the server; 64 bits, unsigned. A server without {@code cas}
 *     ({@code memcached -C}) returns 0, and a cas is then not possible
 */
public record CasValue<V>(V value, long casUnique) {

    /**
     * Returns {@code casUnique} after checking that it is not 0.
     *
     * @throws IllegalArgumentException if casUnique is 0
     */
    public static long checkCasUnique(long casUnique) {
        if (casUnique == 0) {
            throw new IllegalArgumentException("casUnique is 0: pass the casUnique that gets() has read;"
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
