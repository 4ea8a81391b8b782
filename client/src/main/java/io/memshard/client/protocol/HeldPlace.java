// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

/**
 * An empty item that a client has stored to hold the place of a value that it loads. Every read of the meta protocol
 * takes it for a miss.
 *
 * <p>The place that {@code mg N} makes needs none of this: the server marks it by {@code W} and {@code Z}. That mark is
 * lost when the place is stored anew, as it is to make it last longer. So the client flags mark it then.
 */
public final class HeldPlace {

    /** The client flags of such an item, which no transcoder of ours writes: {@code LOAD} in ASCII. */
    public static final int FLAGS = 0x4C4F4144;

    private HeldPlace() {}

    /** Whether an item is one. */
    public static boolean is(byte[] data, int flags) {
        return data.length == 0 && flags == FLAGS;
    }
}
