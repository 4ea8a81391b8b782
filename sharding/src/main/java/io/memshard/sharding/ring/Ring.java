// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import io.memshard.sharding.ring.ModuloRing.Slots;
import io.memshard.sharding.ring.PointRing.Collision;
import io.memshard.sharding.ring.PointRing.PointSource;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Assignment of keys to servers. The static methods return the rings of other clients. Each ring assigns keys to the
 * same servers as the other client if the servers are listed in the same order. Rings without weights reject weights
 * other than 1.
 *
 * <p>In many rings, each server has points, which are hashes of a text that contains the server's address. A key
 * belongs to the server of the first point at or after the key's hash. If a server has a {@linkplain Server#name name},
 * the text contains the name instead of the address. If the text contains the IP address, a server without a name loses
 * its keys when its IP address changes. A ring that hashes IP addresses rejects a server with a host name, unless
 * {@link Server#ip} or {@link Server#name} is set.
 *
 * <p>Threading: immutable.
 */
@FunctionalInterface
public interface Ring {

    /**
     * Returns a locator, which finds the server of a key.
     *
     * @param servers the servers, copied; some rings depend on their order
     * @throws IllegalArgumentException if the list is empty, or if this ring does not support one of the servers; the
     *     message says what to change
     */
    ServerLocator locator(List<Server> servers);

    /**
     * Returns a copy of this ring that hashes only a part of each key. Keys with an equal part are on the same server.
     *
     * @param part the function from a key to the part; must be thread-safe, and always return the same part for the
     *     same key
     */
    default Ring routedBy(UnaryOperator<String> part) {
        return servers -> new RoutedLocator(locator(servers), part);
    }

    /**
     * Returns a copy of this ring that hashes only the part of a key between two characters. With the tag {@code {}},
     * the hashed part of {@code user:{42}:name} is {@code 42}. If a key lacks one of the characters, or has nothing
     * between them, the whole key is hashed.
     *
     * <p>Works like twemproxy's {@code hash_tag}. The tag filter of memcached's proxy is different: it assigns all keys
     * with nothing between the characters to one server.
     *
     * @param tag the opening and the closing character, which may be equal
     */
    default Ring routedByHashTag(String tag) {
        return routedBy(RoutedLocator.hashTag(tag));
    }

    /**
     * Returns a copy of this ring that hashes only the part of a key before a text. With the stop {@code |#|}, the
     * hashed part of {@code user:42|#|name} is {@code user:42}. If a key lacks the stop, the whole key is hashed. Works
     * like mcrouter's hash stop and the filter {@code stop} of memcached's proxy.
     *
     * @param stop the text after the hashed part, at least one character
     */
    default Ring routedByHashStop(String stop) {
        return routedBy(RoutedLocator.before(stop, 0, "hash stop", "|#|"));
    }

    /**
     * Returns a copy of this ring that hashes only the part of a key before a delimiter. If a key lacks the delimiter,
     * or has nothing before the delimiter, the whole key is hashed. Works like EVCache's {@code hash.on.partial.key}
     * with its {@code hash.delimiter}.
     *
     * @param delimiter the text after the hashed part, at least one character
     */
    default Ring routedByPartBefore(String delimiter) {
        return routedBy(RoutedLocator.before(delimiter, 1, "delimiter", "\":\""));
    }

    /**
     * Returns the ring with this name, for example a name from a configuration file.
     *
     * @param name one of {@link #names}
     * @throws IllegalArgumentException if no ring has this name; the message lists the names
     */
    static Ring named(String name) {
        Ring ring = RingNames.BY_NAME.get(name);
        if (ring == null) {
            throw new IllegalArgumentException(
                    "ring \"" + name + "\" is unknown: write one of " + String.join(", ", RingNames.BY_NAME.keySet()));
        }
        return ring;
    }

    /**
     * Returns the names for {@link #named}, sorted and unmodifiable. For example, {@code libmemcached-weighted} is
     * {@link #libmemcachedWeighted()}. Rings with a parameter have no name, except {@code twemproxy-modula}, which
     * hashes keys with {@link KeyHash#FNV1A_64}.
     */
    static Set<String> names() {
        return Collections.unmodifiableSet(RingNames.BY_NAME.keySet());
    }

    /**
     * Returns spymemcached's default ring: {@link String#hashCode} modulo the number of servers, without weights.
     * Source: spymemcached 2.12.3, {@code ArrayModNodeLocator}, {@code NATIVE_HASH}.
     */
    static Ring spymemcached() {
        return new ModuloRing(Slots.ONE, KeyHash.STRING);
    }

    /**
     * Returns the ring of spymemcached's {@code KetamaConnectionFactory}, without weights. Each server has 160 points,
     * from the MD5 of {@code host/ip:port-0}, {@code host/ip:port-1} and so on. If the host is an IP address, this text
     * is {@code ip:port-0} and so on. Source: spymemcached 2.12.3, {@code KetamaNodeLocator}, format SPYMEMCACHED.
     */
    static Ring spymemcachedKetama() {
        return ketama(NodeKey.SPYMEMCACHED, PointCounts.each(PointCounts.KETAMA), Collision.LAST);
    }

    /**
     * Returns spymemcached's ketama in the format LIBMEMCACHED, without weights. Each server has 160 points, from the
     * MD5 of {@code host:port-0}, {@code host:port-1} and so on. For port 11211 the texts are {@code host-0} and so on.
     *
     * <p>spymemcached replaces an IP address by its name in the DNS, but this ring does not. If the DNS has a name for
     * the IP address, set this name as the host of the server. Source: spymemcached 2.12.3, {@code KetamaNodeLocator}.
     */
    static Ring spymemcachedKetamaLibmemcached() {
        return ketama(NodeKey.JAVA_LIBMEMCACHED, PointCounts.each(PointCounts.KETAMA), Collision.LAST);
    }

    /**
     * Returns spymemcached's ketama in the format LIBMEMCACHED, with weights. The number of points of each server is
     * rounded down. Even with equal weights, this ring may therefore differ from
     * {@link #spymemcachedKetamaLibmemcached()}. Source: spymemcached 2.12.3, {@code KetamaNodeLocator}.
     */
    static Ring spymemcachedWeighted() {
        return ketama(NodeKey.JAVA_LIBMEMCACHED, PointCounts.byShareInFloat(), Collision.LAST);
    }

    /**
     * Returns XMemcached's default ring: {@link String#hashCode} modulo the sum of the weights. Source: XMemcached
     * 2.4.9, {@code ArrayMemcachedSessionLocator}, {@code NATIVE_HASH}.
     */
    static Ring xmemcached() {
        return new ModuloRing(Slots.BY_WEIGHT, KeyHash.STRING);
    }

    /**
     * Returns the ring of XMemcached's {@code KetamaMemcachedSessionLocator}. A server has 160 points per unit of its
     * weight, from the MD5 of {@code host/ip:port-0}, {@code host/ip:port-1} and so on. If the host is an IP address
     * without a name in the DNS, the texts are {@code /ip:port-0} and so on. Source: XMemcached 2.4.9.
     */
    static Ring xmemcachedKetama() {
        return xmemcachedKetama(NodeKey.XMEMCACHED);
    }

    /**
     * Returns XMemcached's ketama with {@code cwNginxUpstreamConsistent}. Unlike {@link #xmemcachedKetama()}, this ring
     * hashes {@code ip:port-0}, or {@code ip-0} for port 11211.
     */
    static Ring xmemcachedKetamaNginx() {
        return xmemcachedKetama(NodeKey.NGINX);
    }

    /**
     * Returns XMemcached's ketama with {@code gwhalinMemcachedJavaClientCompatibiltyConsistent}. Unlike {@link
     * #xmemcachedKetama()}, this ring hashes {@code host:port-0}.
     */
    static Ring xmemcachedKetamaGwhalin() {
        return xmemcachedKetama(NodeKey.GWHALIN);
    }

    private static Ring xmemcachedKetama(NodeKey nodeKey) {
        return ketama(nodeKey, PointCounts.timesWeight(PointCounts.KETAMA), Collision.BY_POINT);
    }

    /**
     * Returns the ring of XMemcached's {@code LibmemcachedMemcachedSessionLocator}, without weights. Each server has
     * 100 points, which are one-at-a-time hashes of {@code host:port-0}, {@code host:port-1} and so on. For port 11211
     * the texts are {@code host-0} and so on. If two servers share a point, this ring uses the first server, but
     * XMemcached chooses at random at each call. Source: XMemcached 2.4.9.
     */
    static Ring xmemcachedLibmemcached() {
        return consistent(NodeKey.JAVA_LIBMEMCACHED, KeyHash.ONE_AT_A_TIME_UNSIGNED);
    }

    /**
     * Returns the ketama ring of the AWS ElastiCache cluster client since 1.2.0, for servers from a configuration
     * endpoint. Each server has 160 points, from the SHA-384 of {@code ip:port-0}, {@code ip:port-1} and so on. This
     * ring has no weights. The default ring of the AWS client is {@link #spymemcached()}. Source:
     * elasticache-java-cluster-client 1.2.4, {@code DefaultHashAlgorithm}, {@code NodeEndPoint}.
     */
    static Ring awsKetama() {
        return awsKetama(NodeKey.IP_PORT);
    }

    /**
     * Returns the ketama ring of the AWS client for servers that are listed individually, without a configuration
     * endpoint. Unlike {@link #awsKetama()}, this ring hashes {@code host/ip:port-0}, or {@code ip:port-0} if the host
     * is an IP address.
     */
    static Ring awsKetamaStatic() {
        return awsKetama(NodeKey.SPYMEMCACHED);
    }

    private static Ring awsKetama(NodeKey nodeKey) {
        PointSource points = PointSource.ketama(Digest.SHA_384);
        return new PointRing(
                nodeKey, points, PointCounts.each(PointCounts.KETAMA), Collision.LAST, KeyHash.SHA_384::of);
    }

    /**
     * Returns EVCache's ring, without weights. Each server has 160 points, from the MD5 of {@code host/ip:11211-0},
     * {@code host/ip:11211-1} and so on, regardless of the port. If EVCache's {@code hash.on.partial.key} is set, also
     * call {@code routedByPartBefore(":")}.
     *
     * <p>This ring expects the keys that EVCache sends, which begin with the name of the application and may be hashed.
     * Source: EVCache 5.9.0, {@code EVCacheNodeLocator}, {@code EVCacheKetamaNodeLocatorConfiguration}.
     */
    static Ring evcache() {
        return ketama(NodeKey.EVCACHE, PointCounts.each(PointCounts.KETAMA), Collision.LAST);
    }

    /**
     * Returns folsom's ring, without weights. Each server has 100 points. The first point is the MurmurHash3 of
     * {@code host:port}, and each further point is the hash of the previous point. Source: folsom 1.21.0,
     * {@code Continuum}.
     */
    static Ring folsom() {
        return new PointRing(
                NodeKey.BRACKETED, PointSource.folsom(), PointCounts.each(100), Collision.LAST, KeyHash.MURMUR3::of);
    }

    /**
     * Returns {@code MODULA}, the default ring of libmemcached, pylibmc and php-memcached: the one-at-a-time hash
     * modulo the number of servers. With this distribution, libmemcached ignores weights, but this ring rejects
     * weights. Source: libmemcached 1.1.4, {@code hash.cc}.
     */
    static Ring libmemcached() {
        return libmemcached(KeyHash.ONE_AT_A_TIME);
    }

    /** Returns {@link #libmemcached()} with another {@code MEMCACHED_BEHAVIOR_HASH}. */
    static Ring libmemcached(KeyHash hash) {
        return new ModuloRing(Slots.ONE, hash);
    }

    /**
     * Returns the ring of libmemcached's distribution {@code CONSISTENT}, without weights. Each server has 100 points,
     * which are hashes of {@code host:port-0}, {@code host:port-1} and so on. For port 11211 the texts are
     * {@code host-0} and so on. If a weight is above 1, libmemcached may switch to {@link #libmemcachedWeighted()}.
     * Source: libmemcached 1.1.4, {@code hosts.cc}.
     *
     * @param hash the hash of servers and keys, libmemcached's {@code MEMCACHED_BEHAVIOR_HASH}; libmemcached's default
     *     is {@link KeyHash#ONE_AT_A_TIME}
     */
    static Ring libmemcachedConsistent(KeyHash hash) {
        return consistent(NodeKey.LIBMEMCACHED, hash);
    }

    private static Ring consistent(NodeKey nodeKey, KeyHash hash) {
        return new PointRing(nodeKey, PointSource.hashed(hash), PointCounts.each(100), Collision.FIRST, hash::of);
    }

    /**
     * Returns the ring of libmemcached's {@code MEMCACHED_BEHAVIOR_KETAMA} and of pylibmc's {@code ketama}. Despite its
     * name, this ring does not use MD5, but equals {@link #libmemcachedConsistent} with {@link KeyHash#ONE_AT_A_TIME}.
     * If {@code MEMCACHED_BEHAVIOR_HASH} is set, use {@code libmemcachedConsistent} with this hash.
     */
    static Ring libmemcachedKetama() {
        return libmemcachedConsistent(KeyHash.ONE_AT_A_TIME);
    }

    /**
     * Returns the ring of libmemcached's {@code MEMCACHED_BEHAVIOR_KETAMA_WEIGHTED}, of pylibmc's
     * {@code ketama_weighted} and of php-memcached's {@code OPT_LIBKETAMA_COMPATIBLE}. A server of average weight has
     * 160 points, from the MD5 of {@code host:port-0}, {@code host:port-1} and so on. For port 11211 the texts are
     * {@code host-0} and so on. Source: libmemcached 1.1.4, {@code hosts.cc}.
     */
    static Ring libmemcachedWeighted() {
        return ketama(NodeKey.LIBMEMCACHED, PointCounts.byShareInFloat(), Collision.FIRST);
    }

    /**
     * Returns the ring of libmemcached if {@code CONSISTENT_KETAMA_SPY} is set after {@code KETAMA_WEIGHTED}. Unlike
     * {@link #libmemcachedWeighted()}, this ring hashes {@code /host:port-0} for every port.
     */
    static Ring libmemcachedSpy() {
        return ketama(NodeKey.LIBMEMCACHED_SPY, PointCounts.byShareInFloat(), Collision.FIRST);
    }

    /**
     * Returns twemproxy's default ring, which equals {@link #libmemcachedWeighted()}, but hashes keys with
     * {@link KeyHash#FNV1A_64}. If twemproxy's {@code hash_tag} is set, also call {@link #routedByHashTag}. Source:
     * twemproxy 0.5.0, {@code nc_ketama.c}.
     */
    static Ring twemproxy() {
        return twemproxy(KeyHash.FNV1A_64);
    }

    /** Returns {@link #twemproxy()} with another hash of keys. */
    static Ring twemproxy(KeyHash hash) {
        PointSource points = PointSource.ketama(Digest.MD5);
        return new PointRing(
                NodeKey.LIBMEMCACHED_OR_PATH, points, PointCounts.byShareInFloat(), Collision.FIRST, hash::of);
    }

    /**
     * Returns twemproxy's {@code distribution: modula}: the hash modulo the sum of the weights. Like twemproxy, this
     * ring sorts the servers by name, or by address if no name is set. Shorter texts come first. Source: twemproxy
     * 0.5.0, {@code nc_modula.c}, {@code conf_validate_server} in {@code nc_conf.c}.
     *
     * @param hash twemproxy's {@code hash}, by default {@link KeyHash#FNV1A_64}
     */
    static Ring twemproxyModula(KeyHash hash) {
        return new ModuloRing(Slots.BY_WEIGHT_SORTED, hash);
    }

    /**
     * Returns Dalli's ring. A server of average weight has 160 points, from the SHA-1 of {@code host:port:0},
     * {@code host:port:1} and so on. A key belongs to the server of the last point at or before the CRC-32 of the key.
     * Source: Dalli 3.0.6, {@code ring.rb}.
     */
    static Ring dalli() {
        return new PointRing(
                NodeKey.HOST_PORT,
                PointSource.dalli(),
                PointCounts.byShare(),
                Collision.FIRST,
                key -> ~KeyHash.CRC32.of(key));
    }

    /**
     * Returns the ring of pymemcache's {@code HashClient}, without weights. A key belongs to the server with the
     * highest MurmurHash3 of {@code host:port-key}. pymemcache does not hash its {@code key_prefix}, so exclude this
     * prefix by {@link #routedBy}. Source: pymemcache 4.0.0, {@code rendezvous.py}.
     */
    static Ring pymemcache() {
        return new RendezvousRing();
    }

    /**
     * Returns gomemcache's ring: CRC-32 modulo the sum of the weights. gomemcache has no weights. If its list contains
     * a server n times, set n as the weight of the server. Source: gomemcache, {@code selector.go}.
     */
    static Ring gomemcache() {
        return new ModuloRing(Slots.BY_WEIGHT, KeyHash.CRC32);
    }

    /**
     * Returns the default ring of memcached's proxy, without weights: jump consistent hash of XXH3. Keys are assigned
     * to positions in the list of servers, so add servers only at the end. Source: memcached 1.6, {@code proxy_lua.c},
     * {@code proxy_jump_hash.c}.
     */
    static Ring jump() {
        return new JumpRing(0);
    }

    /** Returns {@link #jump()} with the {@code seed} of a pool of memcached's proxy, at most 1,024 bytes in UTF-8. */
    static Ring jump(String seed) {
        return JumpRing.seeded(seed);
    }

    private static Ring ketama(NodeKey nodeKey, PointCounts counts, Collision collision) {
        return new PointRing(nodeKey, PointSource.ketama(Digest.MD5), counts, collision, KeyHash.MD5::of);
    }
}
