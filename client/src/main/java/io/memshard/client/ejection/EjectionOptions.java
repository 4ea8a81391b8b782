// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.ejection;

import io.memshard.client.concurrent.Backoff;
import java.time.Duration;

/** Number of failures in a row that ejects a server, and the time between probes of an ejected server. */
public record EjectionOptions(int ejectAfter, Backoff probeDelay) {

    public static final EjectionOptions DEFAULTS =
            new EjectionOptions(5, new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5)));
}
