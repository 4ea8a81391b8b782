// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

/** Which server a {@link MemcachedTest} runs against. */
public enum ServerChoice {
    /** The best that {@link ServerLadder} finds, which the system property {@code memshard.server} may narrow. */
    AUTO,
    /** The best that is not embedded, whatever the system property says. */
    REAL,
    /** An {@link EmbeddedMemcached} for the test class alone. */
    EMBEDDED
}
