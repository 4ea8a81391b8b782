// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.io.IOException;

/** Server that this JVM did not start. Closing this object does not stop it. */
record GivenServer(String host, int port, String version) implements MemcachedServer {

    private static final int DEFAULT_PORT = 11211;

    /**
     * Connects to an address and queries the version.
     *
     * @param address {@code host}, {@code host:port} or {@code [ipv6]:port}; the port defaults to 11211
     * @throws IOException if no server answers there
     * @throws IllegalArgumentException if the address is malformed
     */
    static GivenServer at(String address) throws IOException {
        int colon = address.lastIndexOf(':');
        boolean hasPort = colon >= 0 && !address.endsWith("]");
        String host = hasPort ? address.substring(0, colon) : address;
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        int port = hasPort ? port(address.substring(colon + 1), address) : DEFAULT_PORT;
        if (host.isEmpty()) {
            throw malformed(address);
        }
        return new GivenServer(host, port, VersionProbe.query(host, port));
    }

    private static int port(String text, String address) {
        try {
            int port = Integer.parseInt(text);
            if (port > 0 && port <= 0xffff) {
                return port;
            }
        } catch (NumberFormatException e) {
            // Reported below, like a port out of range.
        }
        throw malformed(address);
    }

    private static IllegalArgumentException malformed(String address) {
        return new IllegalArgumentException("address is \"" + address + "\", but must be host:port");
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
