// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

/** Choice of the server against which a {@link MemcachedTest} runs. */
public enum ServerChoice {
    /**
     * Best server that {@link ServerLadder} finds; the system property {@code memshard.server} may narrow the choice.
     */
    AUTO,
    /** {@link EmbeddedMemcached} for the test class alone. */
    EMBEDDED
}
