// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

/** Choice of the server against which a {@link MemcachedTest} runs. */
public enum ServerChoice {
    /** Server that {@link ServerLadder#find()} returns. */
    AUTO,
    /** New {@link EmbeddedMemcached} for each test class. */
    EMBEDDED
}
