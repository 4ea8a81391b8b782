// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import io.memshard.client.options.ServerAddress;
import java.util.function.Function;

/** Text that a ring hashes for a server without a name. The original client of the ring defines the text. */
enum NodeKey {
    SPYMEMCACHED(server -> {
        String text = hostAndIp(server);
        return text.startsWith("/") ? text.substring(1) : text;
    }),

    /** Text of XMemcached: {@code InetSocketAddress.toString} since JDK 14. */
    XMEMCACHED(NodeKey::hostAndIp),

    NGINX(server -> unlessDefault(ip(server), server.address())),

    IP_PORT(server -> bracketed(ip(server)) + ':' + server.address().port()),

    EVCACHE(server -> hostName(server) + '/' + ip(server) + ":11211"),

    JAVA_LIBMEMCACHED(server -> unlessDefault(hostName(server), server.address())),

    GWHALIN(server -> hostName(server) + ':' + server.address().port()),

    LIBMEMCACHED(server -> unlessDefault(server.address().host(), server.address())),

    /** Text of twemproxy. Source: {@code nc_conf.c}. */
    LIBMEMCACHED_OR_PATH(server -> server.address().isUnixSocket()
            ? server.address().host()
            : unlessDefault(server.address().host(), server.address())),

    LIBMEMCACHED_SPY(
            server -> '/' + server.address().host() + ':' + server.address().port()),

    /** Text of pymemcache ({@code HashClient}) and Dalli ({@code Protocol::Binary#name}), without brackets for IPv6. */
    HOST_PORT(server -> server.address().isUnixSocket()
            ? server.address().host()
            : server.address().host() + ':' + server.address().port()),

    /** Text of folsom. Source: {@code HostAndPort.toString} of Guava. */
    BRACKETED(server ->
            bracketed(server.address().host()) + ':' + server.address().port());

    @SuppressWarnings("ImmutableEnumChecker") // None of the functions has state.
    private final Function<Server, String> ofAddress;

    NodeKey(Function<Server, String> ofAddress) {
        this.ofAddress = ofAddress;
    }

    String of(Server server) {
        String name = server.name();
        return name != null ? name : ofAddress.apply(server);
    }

    private static String hostAndIp(Server server) {
        String host =
                Server.numeric(server.address()) == null ? server.address().host() : "";
        return host + '/' + bracketed(ip(server)) + ':' + server.address().port();
    }

    /** Returns the host as {@code InetAddress.getHostName} does, but does not look up the name of an IP address. */
    private static String hostName(Server server) {
        String numeric = Server.numeric(server.address());
        return numeric == null ? server.address().host() : numeric;
    }

    private static String ip(Server server) {
        String ip = server.ip();
        if (ip == null) {
            throw new IllegalArgumentException("server " + server
                    + " has no IP address, but this ring hashes IP addresses: set the IP address by Server.withIp, or"
                    + " name the server");
        }
        return ip;
    }

    private static String bracketed(String host) {
        return host.indexOf(':') < 0 ? host : '[' + host + ']';
    }

    private static String unlessDefault(String host, ServerAddress address) {
        return address.port() == ServerAddress.DEFAULT_PORT ? host : host + ':' + address.port();
    }
}
