// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import java.time.Duration;

/**
 * What a meta arithmetic does to a number: {@code ma} with its flags.
 *
 * <p>Numbers are unsigned 64-bit; an increment wraps at 2^64, a decrement stops at 0.
 *
 * <p>Threading: immutable; each method returns a new request.
 *
 * <p>Failure: a time to live that is zero, negative or beyond memcached's clock is an {@link IllegalArgumentException}.
 *
 * <p>Protocol: protocol.txt, section "Meta Arithmetic".
 */
public final class ArithmeticRequest extends MetaRequest<ArithmeticRequest> {

    private ArithmeticRequest(ItemKey key, RequestFlags flags) {
        super("ma", key, flags);
    }

    /** Adds 1 to the number under {@code key}, and asks for the new one. */
    public static ArithmeticRequest of(String key) {
        return of(ItemKey.of(key));
    }

    /** Adds 1 to the number under {@code key}, and asks for the new one. */
    public static ArithmeticRequest of(ItemKey key) {
        return new ArithmeticRequest(key, RequestFlags.NONE.with('v'));
    }

    @Override
    ArithmeticRequest with(RequestFlags changed) {
        return new ArithmeticRequest(key(), changed);
    }

    /** {@code D}: by how much the number changes, unsigned; 1 by default. */
    public ArithmeticRequest delta(long delta) {
        return with(flags().with('D', delta));
    }

    /** {@code M}: which way the number goes; up by default. */
    public ArithmeticRequest mode(ArithmeticMode mode) {
        return with(mode == ArithmeticMode.DECREMENT ? flags().with('M', 'D') : flags().without('M'));
    }

    /**
     * {@code N J}: creates a missing item with {@code initial}, unsigned, which is then the result. The item lives for
     * {@code ttl}.
     */
    public ArithmeticRequest vivify(long initial, Duration ttl) {
        return with(flags().with('N', ttl).with('J', initial));
    }

    /** {@code T}: sets the time to live of an existing item. */
    public ArithmeticRequest touch(Duration ttl) {
        return with(flags().with('T', ttl));
    }

    /** {@code C}: changes the number only if the item still has {@code casUnique}. */
    public ArithmeticRequest ifCas(long casUnique) {
        return with(flags().withCas('C', casUnique));
    }

    /** {@code E}: the cas unique that the item gets. Since memcached 1.6.27. */
    public ArithmeticRequest newCas(long casUnique) {
        return with(flags().withCas('E', casUnique));
    }

    /** {@code c}: asks for the cas unique that the item got. */
    public ArithmeticRequest returningCas() {
        return with(flags().with('c'));
    }

    /** {@code t}: asks for the remaining time to live. */
    public ArithmeticRequest returningTtl() {
        return with(flags().with('t'));
    }
}
