// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.options.ServerAddress;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.security.Security;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Resolver of a server's addresses, called for each attempt to connect. Threading: thread-safe; may block. */
@FunctionalInterface
interface AddressResolver {

    AddressResolver SYSTEM = AddressResolver::ofSystem;

    /** Returns the current addresses, the preferred ones first. */
    List<SocketAddress> resolve(ServerAddress server) throws IOException;

    /** Returns the end of a message if the JVM caches addresses longer than {@code longestDelay}; otherwise empty. */
    static String cacheNote(ServerAddress server, Duration longestDelay) {
        boolean isName = !server.isUnixSocket() && !server.host().matches("[0-9.]+|.*:.*");
        String ttl = Security.getProperty("networkaddress.cache.ttl");
        int seconds = ttl == null ? Integer.getInteger("sun.net.inetaddr.ttl", 30) : Integer.parseInt(ttl.strip());
        if (!isName || (seconds >= 0 && seconds <= longestDelay.toSeconds())) {
            return "";
        }
        return " (the JVM caches resolved addresses " + (seconds < 0 ? "forever" : "for " + seconds + " s")
                + ": reduce networkaddress.cache.ttl)";
    }

    private static List<SocketAddress> ofSystem(ServerAddress server) throws IOException {
        if (server.isUnixSocket()) {
            UnixDomainSocketAddress address = UnixDomainSocketAddress.of(server.host());
            if (!Files.exists(address.getPath())) {
                throw new FileNotFoundException("the socket file does not exist");
            }
            return List.of(address);
        }
        return Stream.of(InetAddress.getAllByName(server.host()))
                .<SocketAddress>map(address -> new InetSocketAddress(address, server.port()))
                .toList();
    }
}
