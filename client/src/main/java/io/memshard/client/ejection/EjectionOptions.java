// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.ejection;

import io.memshard.client.concurrent.Backoff;
import java.time.Duration;

/**
 * Settings that determine when a server counts as down, and when it counts as up again. Threading: immutable.
 *
 * @param ejectAfter number of failures in a row, over all connections of a server, after which the server is ejected: 2
 *     to 1,000,000
 * @param probeDelay time between the probes of an ejected server
 */
public record EjectionOptions(int ejectAfter, Backoff probeDelay) {

    public static final EjectionOptions DEFAULTS =
            new EjectionOptions(5, new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5)));
}
