// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import io.memshard.client.protocol.MetaCommand.Verb;
import io.memshard.client.protocol.wire.MetaFlags;
import java.time.Duration;

/**
 * Request to change a number: {@code ma} with its flags.
 *
 * <p>Numbers are unsigned 64-bit integers. An increment wraps at 2^64, and a decrement stops at 0.
 *
 * <p>Protocol: protocol.txt, section "Meta Arithmetic".
 */
public final class ArithmeticRequest extends MetaRequest<ArithmeticRequest> {

    private ArithmeticRequest(ItemKey key, MetaFlags flags) {
        super(Verb.ARITHMETIC, key, flags);
    }

    /** Creates a request that adds 1 to the number under {@code key} and returns the new number. */
    public static ArithmeticRequest of(String key) {
        return of(ItemKey.of(key));
    }

    /**
     * Same as {@link #of(String)} with a binary key. The server must be memcached 1.6.10 or later.
     *
     * @param key 1 to 186 bytes, copied. A text key of the same bytes names the same item
     */
    public static ArithmeticRequest of(byte[] key) {
        return of(ItemKey.of(key));
    }

    private static ArithmeticRequest of(ItemKey key) {
        return new ArithmeticRequest(key, MetaFlags.NONE.with("v"));
    }

    @Override
    ArithmeticRequest with(MetaFlags changed) {
        return new ArithmeticRequest(key(), changed);
    }

    /** Sets the unsigned delta, which is 1 by default (flag {@code D}). */
    public ArithmeticRequest delta(long delta) {
        return with('D', delta);
    }

    /** Subtracts the delta instead of adding it (flag {@code M}). */
    public ArithmeticRequest decrementing() {
        return with('M', 'D');
    }

    /**
     * Creates a missing item with the unsigned number {@code initial} and the time to live {@code ttl} (flags {@code N}
     * and {@code J}). The result is then {@code initial}.
     */
    public ArithmeticRequest vivify(long initial, Duration ttl) {
        return with('N', ttl).with('J', initial);
    }

    /** Sets the time to live of an existing item (flag {@code T}). */
    public ArithmeticRequest touch(Duration ttl) {
        return with('T', ttl);
    }

    /** Changes the number only if the item still has {@code casUnique} (flag {@code C}). */
    public ArithmeticRequest ifCas(long casUnique) {
        return withCas('C', casUnique);
    }

    /** Requests the item's new cas unique (flag {@code c}). */
    public ArithmeticRequest returningCas() {
        return with("c");
    }

    /** Requests the remaining time to live (flag {@code t}). */
    public ArithmeticRequest returningTtl() {
        return with("t");
    }
}
