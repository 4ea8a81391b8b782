// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.io.IOException;
import java.net.URI;

/** Server that this JVM did not start. Closing this object does not stop the server. */
record GivenServer(String host, int port, String version) implements MemcachedServer {

    private static final int DEFAULT_PORT = 11211;

    /** Connects to {@code host}, {@code host:port} or {@code [ipv6]:port}, and queries the server's version. */
    static GivenServer at(String address) throws IOException {
        URI uri = URI.create("memcached://" + address);
        String host = uri.getHost();
        int port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
        if (host == null || port == 0 || port > 0xffff) {
            throw new IllegalArgumentException(
                    "address is \"" + address + "\", but must be host, host:port or [ipv6]:port");
        }
        return new GivenServer(host, port, VersionProbe.query(host, port));
    }

    @Override
    public String description() {
        return "given server " + version + " on " + host + ":" + port;
    }

    @Override
    public void close() {
        // The server ran before, and keeps running.
    }
}
