// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

/** A command about one item, whose key is checked when the command is made. */
abstract class KeyCommand<T> extends Command<T> {

    private final String key;
    private final int keyBytes;

    /**
     * A command about the item under {@code key}.
     *
     * @throws IllegalArgumentException if it is not a key
     */
    KeyCommand(String key) {
        this.keyBytes = Key.checkLength(key);
        this.key = key;
    }

    @Override
    public final String key() {
        return key;
    }

    /** Appends the key. */
    final RequestBuffer appendKey(RequestBuffer out) {
        return out.appendKey(key, keyBytes);
    }

    /** Ends the request with its opaque. */
    static void endWithOpaque(RequestBuffer out, int opaque) {
        out.append(OPAQUE).appendUnsigned(opaque).endLine();
    }

    private static final byte[] OPAQUE = {' ', 'O'};
}
