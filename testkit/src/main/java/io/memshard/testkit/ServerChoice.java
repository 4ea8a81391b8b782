// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

/** Choice of the server against which a {@link MemcachedTest} runs. */
public enum ServerChoice {
    /** Best server that {@link ServerLadder} finds under the system property {@code memshard.server}. */
    AUTO,
    /** Separate {@link EmbeddedMemcached} for the test class. */
    EMBEDDED
}
