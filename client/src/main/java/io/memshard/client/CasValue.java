// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

/**
 * A value with its cas unique when it was read, for a later {@code cas}.
 *
 * @param value the decoded value
 * @param casUnique the item's 64-bit version, unsigned, assigned by the server. It is 0 from a server without cas
 *     ({@code -C}), where {@code cas} cannot be used
 */
public record CasValue<V>(V value, long casUnique) {

    /**
     * A cas unique that a {@code cas} can compare with.
     *
     * @throws IllegalArgumentException if it is 0
     */
    public static long checkCasUnique(long casUnique) {
        if (casUnique == 0) {
            throw new IllegalArgumentException("casUnique is 0: take it from the CasValue that gets returned;"
                    + " it is 0 there too if the server runs without cas (memcached -C)");
        }
        return casUnique;
    }

    /** The cas unique; of the value only the type. */
    @Override
    public String toString() {
        return "CasValue[a " + value.getClass().getSimpleName() + ", casUnique=" + Long.toUnsignedString(casUnique)
                + ']';
    }
}
