// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import io.memshard.client.argument.Exptime;
import io.memshard.client.protocol.MetaCommand.Verb;
import io.memshard.client.protocol.wire.MetaFlags;
import java.time.Clock;
import java.time.Duration;

abstract sealed class MetaRequest<R> permits GetRequest, SetRequest, DeleteRequest, ArithmeticRequest {

    private final Verb verb;
    private final ItemKey key;
    private final MetaFlags flags;

    MetaRequest(Verb verb, ItemKey key, MetaFlags flags) {
        this.verb = verb;
        this.key = key;
        this.flags = flags;
    }

    abstract R with(MetaFlags changed);

    final R with(String letters) {
        return with(flags.with(letters));
    }

    final R with(char letter, Object token) {
        return with(flags.with(letter, token));
    }

    final R with(char letter, Duration ttl) {
        Exptime.of(ttl, Clock.systemUTC());
        return with(flags.with(letter, ttl));
    }

    final R withCas(char letter, long casUnique) {
        if (casUnique == 0) {
            throw new IllegalArgumentException(
                    "casUnique is 0: pass the casUnique of an item; a server without cas (memcached -C) returns 0");
        }
        return with(flags.with(letter, casUnique));
    }

    /**
     * Sets the new cas unique of an item that this request creates or changes (flag {@code E}). Requires memcached
     * 1.6.27 or later.
     */
    public final R newCas(long casUnique) {
        return withCas('E', casUnique);
    }

    final Verb verb() {
        return verb;
    }

    final ItemKey key() {
        return key;
    }

    final MetaFlags flags() {
        return flags;
    }

    @Override
    public final String toString() {
        return verb.text + ' ' + key;
    }
}
