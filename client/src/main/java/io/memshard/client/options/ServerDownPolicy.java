// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.options;

/**
 * Policy for commands to a server that is ejected because it does not answer. {@code docs/server-down.md} has a picture
 * of each policy, and describes when reads return old values.
 *
 * <p>This policy applies only while a server is ejected. {@link FailurePolicy} applies to each failed command,
 * including a command that this policy rejects. A client with one server, and without a gutter, ejects the server only
 * after timeouts.
 */
public enum ServerDownPolicy {

    /**
     * Commands fail at once with a {@link io.memshard.client.exception.MemcachedConnectionException} that names the
     * server, its state and the cause. These commands were not sent, so they are safe to retry. No value gets stale.
     */
    FAIL_FAST,

    /**
     * A read immediately returns a miss. Writes fail in the same way as with {@link #FAIL_FAST}. Reads that fail while
     * the server is not ejected are misses only under {@link FailurePolicy#TREAT_AS_MISS}.
     */
    MISS,

    /**
     * All commands, including writes, go to the next server of the ring. Items stored there live for at most the
     * {@code failoverTtl}. A server that returns without a restart still has its old values.
     */
    NEXT_SERVER,

    /**
     * Reads go to the next server of the ring. Writes fail in the same way as with {@link #FAIL_FAST}. So a
     * {@code getOrLoad} that loads a value fails, because it cannot store the value. Use this policy if the next server
     * already has the values, for example after a server was added.
     */
    NEXT_SERVER_FOR_READS,

    /**
     * Commands go to the gutter: spare servers with their own ring. The other servers get no additional load, and need
     * not evict items. Items stored in the gutter live for at most the {@code failoverTtl}.
     *
     * <p>Source: R. Nishtala et al., "Scaling Memcache at Facebook", NSDI 2013, section 3.3.
     */
    GUTTER
}
