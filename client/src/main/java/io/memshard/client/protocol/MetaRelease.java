// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import io.memshard.client.protocol.wire.MetaFlags;
import java.util.List;

/**
 * Command that releases a claim on a stale item. A plain read has won this claim without requesting it. Without a
 * release no caller would load the item until its time to live ends, because the server lets only one caller win.
 *
 * <p>A release takes two of these commands. The first one checks whether the item is still stale. If so, the second one
 * marks the item as stale again, unless the item was stored meanwhile. The server then lets the next caller win. The
 * time to live does not change. If the item was also invalidated and won by another caller meanwhile, that winner's
 * value is not stored. The next caller then loads the value again.
 *
 * <p>Protocol: {@code mg <key> c\r\n}, then {@code md <key> C<cas unique> I\r\n}; protocol.txt, sections "Meta Get" and
 * "Meta Delete".
 */
public final class MetaRelease extends MetaCommand<StoreStatus> {

    /**
     * Delay of the release, in nanoseconds, if the caller has also read the cas unique. The caller may be about to
     * store with this cas unique, and the release gives the item a new one.
     */
    static final long CAS_DELAY_NANOS = 1_000_000_000;

    private final long delayNanos;

    private MetaRelease(Verb verb, String key, MetaFlags flags, long delayNanos) {
        super(verb, verb.text(), key, flags, null, MetaReply::status);
        this.delayNanos = delayNanos;
    }

    /**
     * Returns the first command that releases the claim on the item under {@code key}.
     *
     * @param isBinary whether the key is in base64
     */
    static MetaRelease of(String key, boolean isBinary, long delayNanos) {
        return new MetaRelease(Verb.GET, key, MetaFlags.NONE.with(isBinary ? "bc" : "c"), delayNanos);
    }

    /** Returns the delay before the command is sent, in nanoseconds. */
    public long delayNanos() {
        return delayNanos;
    }

    @Override
    public List<MetaRelease> releases() {
        MetaReply found = verb().equals(Verb.GET.text()) && errorReply() == null ? reply() : null;
        if (found == null || !found.has('X') || found.number('c') == 0) {
            return List.of();
        }
        MetaFlags flags = MetaFlags.NONE.with(hasBinaryKey() ? "bI" : "I").with('C', found.number('c'));
        return List.of(new MetaRelease(Verb.DELETE, key(), flags, 0));
    }
}
