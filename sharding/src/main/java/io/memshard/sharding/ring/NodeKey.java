// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import io.memshard.client.options.ServerAddress;
import java.util.function.Function;

/**
 * Text that a ring hashes for a server without a name. Clients write the same server in different ways, and therefore
 * place the same key on different servers.
 */
enum NodeKey {

    /**
     * {@code host/ip:port}, or {@code ip:port} if the host is an IP address: {@code InetSocketAddress.toString} without
     * a slash in front. Source: spymemcached, {@code KetamaNodeKeyFormatter}, format SPYMEMCACHED.
     */
    SPYMEMCACHED(server -> {
        String text = hostAndIp(server);
        return text.startsWith("/") ? text.substring(1) : text;
    }),

    /**
     * {@code host/ip:port}, or {@code /ip:port} if the host is an IP address. IPv6 has brackets, as since JDK 14.
     * Source: XMemcached, {@code KetamaMemcachedSessionLocator}, and {@code InetSocketAddress.toString}.
     */
    XMEMCACHED(NodeKey::hostAndIp),

    /** {@code ip:port}, or {@code ip} for port 11211. Source: XMemcached, "cwNginxUpstreamConsistent". */
    NGINX(server -> unlessDefault(ip(server), server.address())),

    /** {@code ip:port}, with brackets around IPv6. Source: AWS, {@code NodeEndPoint.getInetSocketAddress}. */
    IP_PORT(server -> bracketed(ip(server)) + ':' + server.address().port()),

    /**
     * {@code host/ip:11211}, regardless of the port. Source: EVCache, {@code EVCacheKetamaNodeLocatorConfiguration}.
     */
    EVCACHE(server -> hostName(server) + '/' + ip(server) + ":11211"),

    /**
     * {@code host:port}, or {@code host} for port 11211. Source: spymemcached, {@code KetamaNodeKeyFormatter}, format
     * LIBMEMCACHED; XMemcached, {@code LibmemcachedMemcachedSessionLocator}.
     */
    JAVA_LIBMEMCACHED(server -> unlessDefault(hostName(server), server.address())),

    /** {@code host:port}. Source: XMemcached, "gwhalinMemcachedJavaClientCompatibiltyConsistent". */
    GWHALIN(server -> hostName(server) + ':' + server.address().port()),

    /** {@code host:port}, or {@code host} for port 11211. Source: libmemcached, {@code hosts.cc}. */
    LIBMEMCACHED(server -> unlessDefault(server.address().host(), server.address())),

    /**
     * Text of {@link #LIBMEMCACHED}, but only the path for a Unix domain socket. Source: twemproxy, {@code nc_conf.c}.
     */
    LIBMEMCACHED_OR_PATH(server -> server.address().isUnixSocket()
            ? server.address().host()
            : unlessDefault(server.address().host(), server.address())),

    /** {@code /host:port}, including for port 11211. Source: libmemcached, {@code hosts.cc}, KETAMA_SPY. */
    LIBMEMCACHED_SPY(
            server -> '/' + server.address().host() + ':' + server.address().port()),

    /**
     * {@code host:port} without brackets, or the path of a Unix domain socket. Source: pymemcache, {@code HashClient};
     * Dalli, {@code Protocol::Binary#name}.
     */
    HOST_PORT(server -> server.address().isUnixSocket()
            ? server.address().host()
            : server.address().host() + ':' + server.address().port()),

    /** {@code host:port} with brackets around IPv6. Source: folsom, Guava's {@code HostAndPort.toString}. */
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

    /** Returns the text of {@code InetAddress.getHostName}, except for an IP address that has a name in the DNS. */
    private static String hostName(Server server) {
        String numeric = Server.numeric(server.address());
        return numeric == null ? server.address().host() : numeric;
    }

    private static String ip(Server server) {
        String ip = server.ip();
        if (ip == null) {
            throw new IllegalArgumentException("server " + server
                    + " has no IP address, which this ring hashes: resolve it and set it with Server.withIp, or name the"
                    + " server");
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
