// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import io.memshard.client.options.ConnectionOptions;
import java.time.Duration;

/** Settings of connections that outlast a machine which stands still: for tests that are not about timeouts. */
public final class PatientOptions {

    public static final Duration LONG = Duration.ofSeconds(30);
    public static final ConnectionOptions DEFAULTS = builder().build();

    private PatientOptions() {}

    public static ConnectionOptions.Builder builder() {
        return ConnectionOptions.builder()
                .connectTimeout(LONG)
                .livenessTimeout(LONG)
                .heartbeatInterval(LONG);
    }
}
