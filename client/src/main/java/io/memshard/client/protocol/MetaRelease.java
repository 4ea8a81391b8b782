// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import io.memshard.client.protocol.wire.MetaFlags;
import java.util.List;

/**
 * Command that releases a claim on a stale item. A plain read has won this claim without requesting it. Without the
 * release, no caller would load the item until its time to live ends.
 *
 * <p>A release takes two of these commands. The first one reads the cas unique of an item that is still stale. The
 * second one marks the item as stale again if the cas unique is unchanged, so that the server lets the next caller win.
 *
 * <p>Protocol: {@code mg <key> c\r\n}, then {@code md <key> C<cas unique> I\r\n}; protocol.txt, sections "Meta Get" and
 * "Meta Delete".
 */
public final class MetaRelease extends MetaCommand<StoreStatus> {

    /**
     * Delay of the release if the caller has also read the cas unique. The release changes the cas unique, and the
     * caller may be about to store with the old one.
     */
    static final long CAS_DELAY_NANOS = 1_000_000_000;

    private final long delayNanos;

    private MetaRelease(Verb verb, String key, MetaFlags flags, long delayNanos) {
        super(verb, verb.text, key, flags, null, MetaReply::status);
        this.delayNanos = delayNanos;
    }

    /** Returns the first command of a release. {@code isBinary} means that the key is in base64. */
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
