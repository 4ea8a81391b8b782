// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.server;

import java.io.IOException;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What a server tells about itself by {@code stats settings}.
 *
 * <p>Threading: immutable.
 *
 * @param flags threads, connections and memory in the form of memcached's options; null if it does not
 *     tell
 * @param mostConnections connections that it takes at the same time; empty if it does not tell
 */
record ServerSettings(@Nullable String flags, OptionalInt mostConnections) {

    static ServerSettings of(PlainSocket socket) throws IOException {
        Map<String, String> settings = socket.settings();
        String threads = settings.get("num_threads");
        String connections = settings.get("maxconns");
        String bytes = settings.get("maxbytes");
        if (threads == null || connections == null || bytes == null) {
            return new ServerSettings(null, OptionalInt.empty());
        }
        try {
            return new ServerSettings(
                    "-t " + threads + " -c " + connections + " -m " + (Long.parseLong(bytes) >> 20),
                    OptionalInt.of(Integer.parseInt(connections)));
        } catch (NumberFormatException e) {
            throw new IOException("a server setting is not a number: " + e.getMessage(), e);
        }
    }
}
