// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.options;

/**
 * Policy for commands whose server is ejected because the server does not answer. {@code docs/server-down.md} has a
 * picture of each policy, and its effect on old values.
 *
 * <p>This policy applies only while a server is ejected. {@link FailurePolicy} is the policy for a single failure, and
 * for a command that this policy rejects. A client with one server, and without a gutter, ejects the server only for
 * timeouts.
 */
public enum ServerDownPolicy {

    /**
     * Commands fail at once with a {@link io.memshard.client.exception.MemcachedConnectionException} that names the
     * server, its state and the cause. These commands were not sent, so they are safe to retry. No value gets stale.
     */
    FAIL_FAST,

    /**
     * A read is a miss, without any wait. Writes fail in the same way as with {@link #FAIL_FAST}. Reads that fail while
     * the server is not ejected are misses only under {@link FailurePolicy#TREAT_AS_MISS}.
     */
    MISS,

    /**
     * All commands, including writes, go to the next server of the ring. Items stored there live for at most the
     * {@code failoverTtl}. A server that returns without a restart still has its old values.
     */
    NEXT_SERVER,

    /**
     * Reads go to the next server of the ring. Writes fail in the same way as with {@link #FAIL_FAST}. A
     * {@code getOrLoad} that loads fails when it stores the value. Use this policy where the next server already has
     * the values, for example after a server was added.
     */
    NEXT_SERVER_FOR_READS,

    /**
     * Commands go to the gutter: spare servers with their own ring. The other servers get no additional load and evict
     * no items. Items stored in the gutter live for at most the {@code failoverTtl}.
     *
     * <p>Source: R. Nishtala et al., "Scaling Memcache at Facebook", NSDI 2013, section 3.3.
     */
    GUTTER
}
