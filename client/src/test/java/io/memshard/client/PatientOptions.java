// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import io.memshard.client.link.ConnectionOptions;
import io.memshard.client.options.Protocol;
import java.time.Duration;

/** Settings of connections that outlast a machine which stands still: for tests that are not about timeouts. */
public final class PatientOptions {

    public static final Duration LONG = Duration.ofSeconds(30);

    private PatientOptions() {}

    public static ConnectionOptions create() {
        ConnectionOptions options = new ConnectionOptions();
        options.connectTimeout = LONG;
        options.livenessTimeout = LONG;
        options.heartbeatInterval = LONG;
        return options;
    }

    public static ConnectionOptions with(Protocol protocol) {
        ConnectionOptions options = create();
        options.protocol = protocol;
        return options;
    }
}
