// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.options;

/**
 * What becomes of commands whose server is ejected, because it does not answer. With one server, and none to spare, no
 * server is ever ejected. {@code docs/servers.md} has a picture of each policy, and what it does to old values.
 *
 * <p>A policy is asked only while a server is ejected. What to do about a single failure is a {@link FailurePolicy}.
 * The two go together: what is refused here is a failure there.
 */
public enum ServerDownPolicy {

    /**
     * They fail at once with a {@link io.memshard.client.exception.MemcachedConnectionException} that names the server,
     * its state and why. They were not sent, so they are safe to retry. Nothing gets old.
     */
    FAIL_FAST,

    /**
     * Reads are misses, at once. Writes fail as with {@link #FAIL_FAST}. Under {@link FailurePolicy#TREAT_AS_MISS}
     * reads are misses anyway; this policy keeps all other failures of reads as they are.
     */
    MISS,

    /**
     * They go to the next server of the ring, writes too. Items that are stored there live for the {@code failoverTtl}
     * at most. A server that comes back without having been restarted has its old values.
     */
    NEXT_SERVER,

    /**
     * Reads go to the next server of the ring, and writes fail as with {@link #FAIL_FAST}. That is for fleets where
     * something else has put the values there, as after a server was added. {@code getOrLoad} fails when it stores.
     */
    NEXT_SERVER_FOR_READS,

    /**
     * They go to the gutter, which are spare servers with a ring of their own. So no other server has to carry the
     * load, and the items of others are not evicted. Items that are stored there live for the {@code failoverTtl} at
     * most.
     *
     * <p>Source: R. Nishtala et al., "Scaling Memcache at Facebook", NSDI 2013, section 3.3.
     */
    GUTTER
}
