// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.shop;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Stop of a server and its consequences.
 *
 * @param server number of the server
 * @param address {@code host:port} of the server
 * @param stopped time of the stop
 * @param ejected time at which the client ejected the server; null if not ejected
 * @param started time of the start that followed; null before
 * @param back time from which commands go to the server again; null before
 * @param failures number of failed requests since the stop
 */
public record Outage(
        int server,
        String address,
        Instant stopped,
        @Nullable Instant ejected,
        @Nullable Instant started,
        @Nullable Instant back,
        long failures) {

    static Outage of(int server, String address) {
        return new Outage(server, address, Instant.now(), null, null, null, 0);
    }

    Outage withStart(Instant start) {
        return new Outage(server, address, stopped, ejected, start, null, failures);
    }
}
