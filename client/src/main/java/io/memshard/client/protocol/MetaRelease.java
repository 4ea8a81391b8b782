// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import io.memshard.client.protocol.wire.MetaFlags;
import java.util.List;

/**
 * Release of a claim, the right to reload a stale item, that the server granted unasked. {@code mg} reads the cas
 * unique. {@code md} then marks the item as stale again, unless the cas unique has changed.
 */
public final class MetaRelease extends MetaCommand<StoreStatus> {

    /** Delay after {@code gets}, whose caller may store with the cas unique before the release changes it. */
    static final long CAS_DELAY_NANOS = 1_000_000_000;

    private final long delayNanos;

    private MetaRelease(Verb verb, String key, MetaFlags flags, long delayNanos) {
        super(verb, verb.text, key, flags, null, MetaReply::status);
        this.delayNanos = delayNanos;
    }

    static MetaRelease of(String key, boolean isBinary, long delayNanos) {
        return new MetaRelease(Verb.GET, key, MetaFlags.NONE.with(isBinary ? "bc" : "c"), delayNanos);
    }

    public long delayNanos() {
        return delayNanos;
    }

    @Override
    public List<MetaRelease> releases() {
        MetaReply found = verb().equals(Verb.GET.text) && errorReply() == null ? reply() : null;
        if (found == null || !found.has('X') || found.number('c') == 0) {
            return List.of();
        }
        MetaFlags flags = MetaFlags.NONE.with(hasBinaryKey() ? "bI" : "I").with('C', found.number('c'));
        return List.of(new MetaRelease(Verb.DELETE, key(), flags, 0));
    }
}
