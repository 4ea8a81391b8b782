// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import io.memshard.sharding.ring.ModuloRing.Slots;
import io.memshard.sharding.ring.PointRing.Collision;
import io.memshard.sharding.ring.PointRing.Order;
import io.memshard.sharding.ring.PointRing.PointSource;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Distribution of keys over servers.
 *
 * <p>The static methods return the rings of other clients. Each ring copies its original in all details, so a key is
 * found on the server where the other client stored it. Pass servers in the same order as to the original client. The
 * points of a server are its positions among the hash values. Rings without weights reject weights other than 1.
 *
 * <p>A ring that hashes servers uses the {@linkplain Server#name name} of each server. The methods describe the text
 * that is hashed for a server without a name. If this text has the IP address, a server loses its keys when its address
 * changes, as with the original client. {@link #locator} of such a ring rejects a server that has a host name, but
 * neither an IP address nor a name.
 *
 * <p>Threading: immutable.
 */
@FunctionalInterface
public interface Ring {

    /**
     * Returns the locator of keys on these servers.
     *
     * @param servers the servers, copied; their order matters for most rings
     * @throws IllegalArgumentException if the list is empty, or if this ring cannot place one of the servers; the
     *     message says what to change
     */
    ServerLocator locator(List<Server> servers);

    /**
     * Returns this ring applied to a part of each key only, so that keys with an equal part are on the same server.
     *
     * @param part the function from a key to the part to hash; thread-safe, and always with the same result for the
     *     same key
     */
    default Ring routedBy(UnaryOperator<String> part) {
        return servers -> new RoutedLocator(locator(servers), part);
    }

    /**
     * Returns this ring applied to the part of a key between two characters: {@code 42} of {@code user:{42}:name} with
     * the tag {@code {}}. A key without both characters, or with nothing between them, is hashed whole.
     *
     * <p>Works like twemproxy's {@code hash_tag}. The tag filter of memcached's proxy differs: it puts all keys with
     * nothing between the characters on a single server.
     *
     * @param tag the opening and the closing character, which may be the same
     */
    default Ring routedByHashTag(String tag) {
        return routedBy(RoutedLocator.hashTag(tag));
    }

    /**
     * Returns this ring applied to the part of a key before a mark: {@code user:42} of {@code user:42|#|name} with the
     * stop {@code |#|}. A key without the mark is hashed whole. Works like mcrouter's hash stop and the filter
     * {@code stop} of memcached's proxy.
     *
     * @param stop the text that ends the part, at least one character
     */
    default Ring routedByHashStop(String stop) {
        return routedBy(RoutedLocator.before(stop, 0, "hash stop", "|#|"));
    }

    /**
     * Returns this ring applied to the part of a key before a delimiter. A key without the delimiter, or with nothing
     * before it, is hashed whole. Works like EVCache's {@code hash.on.partial.key} with its {@code hash.delimiter}.
     *
     * @param delimiter the text that ends the part, at least one character
     */
    default Ring routedByPartBefore(String delimiter) {
        return routedBy(RoutedLocator.before(delimiter, 1, "delimiter", "\":\""));
    }

    /**
     * Returns the ring of this name, for settings in text form.
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
     * Returns the names for {@link #named}, such as {@code libmemcached-weighted} for {@link #libmemcachedWeighted()};
     * sorted, unmodifiable. Rings with a parameter have no name, except {@code twemproxy-modula}, which hashes keys by
     * {@link KeyHash#FNV1A_64}.
     */
    static Set<String> names() {
        return Collections.unmodifiableSet(RingNames.BY_NAME.keySet());
    }

    /**
     * Returns spymemcached's default ring: {@link String#hashCode} modulo the number of servers. Source: spymemcached
     * 2.12.3, {@code ArrayModNodeLocator}, {@code NATIVE_HASH}. No weights.
     */
    static Ring spymemcached() {
        return new ModuloRing(Slots.ONE, KeyHash.STRING);
    }

    /**
     * Returns the ring of spymemcached's {@code KetamaConnectionFactory}. Each server has 160 points by MD5 of {@code
     * host/ip:port-0} and so on, or of {@code ip:port-0} if the host is an IP address.
     *
     * <p>Source: spymemcached 2.12.3, {@code KetamaNodeLocator}, format SPYMEMCACHED. No weights.
     */
    static Ring spymemcachedKetama() {
        return ketama(NodeKey.SPYMEMCACHED, PointCounts.each(PointCounts.KETAMA), Collision.LAST);
    }

    /**
     * Returns spymemcached's ketama in the format LIBMEMCACHED without weights. Each server has 160 points by MD5 of
     * {@code host:port-0} and so on, or of {@code host-0} for port 11211.
     *
     * <p>For a server configured as an IP address, spymemcached looks up the name in the DNS and hashes that name. This
     * ring does no look-up: if the DNS has a name, set that name as the host of the server.
     *
     * <p>Source: spymemcached 2.12.3, {@code KetamaNodeLocator}, format LIBMEMCACHED.
     */
    static Ring spymemcachedKetamaLibmemcached() {
        return ketama(NodeKey.JAVA_LIBMEMCACHED, PointCounts.each(PointCounts.KETAMA), Collision.LAST);
    }

    /**
     * Returns spymemcached's ketama with a map of weights, in the format LIBMEMCACHED. Each server's number of points
     * is rounded down, so with equal weights this ring may differ from {@link #spymemcachedKetamaLibmemcached()}.
     *
     * <p>Source: spymemcached 2.12.3, {@code KetamaNodeLocator}.
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
     * Returns the ring of XMemcached's {@code KetamaMemcachedSessionLocator}: 160 points per unit of a server's weight
     * by MD5 of {@code host/ip:port-0} and so on. The text is {@code /ip:port-0} if the host is an IP address without a
     * name in the DNS.
     *
     * <p>Source: XMemcached 2.4.9.
     */
    static Ring xmemcachedKetama() {
        return xmemcachedKetama(NodeKey.XMEMCACHED);
    }

    /**
     * Returns XMemcached's ketama with {@code cwNginxUpstreamConsistent}. The ring differs from
     * {@link #xmemcachedKetama()} by the MD5 of {@code ip:port-0}, or of {@code ip-0} for port 11211.
     */
    static Ring xmemcachedKetamaNginx() {
        return xmemcachedKetama(NodeKey.NGINX);
    }

    /**
     * Returns XMemcached's ketama with {@code gwhalinMemcachedJavaClientCompatibiltyConsistent}. The ring differs from
     * {@link #xmemcachedKetama()} by the MD5 of {@code host:port-0}.
     */
    static Ring xmemcachedKetamaGwhalin() {
        return xmemcachedKetama(NodeKey.GWHALIN);
    }

    private static Ring xmemcachedKetama(NodeKey nodeKey) {
        return ketama(nodeKey, PointCounts.timesWeight(PointCounts.KETAMA), Collision.BY_POINT);
    }

    /**
     * Returns the ring of XMemcached's {@code LibmemcachedMemcachedSessionLocator}: 100 points per server by
     * one-at-a-time of {@code host:port-0}, or of {@code host-0} for port 11211.
     *
     * <p>If two servers share a point, XMemcached chooses one of the two at random at each call; this ring uses the
     * first server.
     *
     * <p>Source: XMemcached 2.4.9. No weights.
     */
    static Ring xmemcachedLibmemcached() {
        return new PointRing(
                NodeKey.JAVA_LIBMEMCACHED,
                PointSource.hashed(KeyHash.ONE_AT_A_TIME_UNSIGNED),
                PointCounts.each(PointCounts.LIBMEMCACHED),
                Order.UP,
                Collision.FIRST,
                KeyHash.ONE_AT_A_TIME_UNSIGNED);
    }

    /**
     * Returns the ketama of the AWS ElastiCache cluster client since 1.2.0, for servers from a configuration endpoint.
     * Each server has 160 points by SHA-384 of {@code ip:port-0} and so on. The default of that client is not ketama
     * but {@link #spymemcached()}.
     *
     * <p>Source: elasticache-java-cluster-client 1.2.4, {@code DefaultHashAlgorithm}, {@code NodeEndPoint}. No weights.
     */
    static Ring awsKetama() {
        return awsKetama(NodeKey.IP_PORT);
    }

    /**
     * Returns {@link #awsKetama()} for servers that are not from a configuration endpoint but listed individually.
     * Points are the SHA-384 of {@code host/ip:port-0} and so on, or of {@code ip:port-0} if the host is an IP address.
     */
    static Ring awsKetamaStatic() {
        return awsKetama(NodeKey.SPYMEMCACHED);
    }

    private static Ring awsKetama(NodeKey nodeKey) {
        return new PointRing(
                nodeKey,
                PointSource.ketama(Digest.SHA_384),
                PointCounts.each(PointCounts.KETAMA),
                Order.UP,
                Collision.LAST,
                KeyHash.SHA_384);
    }

    /**
     * Returns EVCache's ring: 160 points per server by MD5 of {@code host/ip:11211-0} and so on, regardless of the
     * port.
     *
     * <p>If {@code hash.on.partial.key} is set, add {@code routedByPartBefore(":")}. EVCache prepends the name of the
     * application to a key, and may hash long keys, before it locates the server.
     *
     * <p>Source: EVCache 5.9.0, {@code EVCacheNodeLocator}, {@code EVCacheKetamaNodeLocatorConfiguration}. No weights.
     */
    static Ring evcache() {
        return ketama(NodeKey.EVCACHE, PointCounts.each(PointCounts.KETAMA), Collision.LAST);
    }

    /**
     * Returns folsom's ring: 100 points per server by a chain of MurmurHash3 that starts with {@code host:port}. No
     * other client uses this ring. Source: folsom 1.21.0, {@code Continuum}. No weights.
     */
    static Ring folsom() {
        return new PointRing(
                NodeKey.BRACKETED,
                PointSource.folsom(),
                PointCounts.each(100),
                Order.UP,
                Collision.LAST,
                KeyHash.MURMUR3);
    }

    /**
     * Returns the default ring of libmemcached, pylibmc and php-memcached, {@code MODULA}: one-at-a-time modulo the
     * number of servers. libmemcached ignores weights with this distribution. Source: libmemcached 1.1.4,
     * {@code hash.cc}.
     */
    static Ring libmemcached() {
        return libmemcached(KeyHash.ONE_AT_A_TIME);
    }

    /** Returns {@link #libmemcached()} with another {@code MEMCACHED_BEHAVIOR_HASH}. */
    static Ring libmemcached(KeyHash hash) {
        return new ModuloRing(Slots.ONE, hash);
    }

    /**
     * Returns libmemcached's {@code CONSISTENT}: 100 points per server by the hash of {@code host:port-0}, or of
     * {@code host-0} for port 11211. Keys are hashed with the same function. With a weight above 1 libmemcached may
     * switch to {@link #libmemcachedWeighted()}.
     *
     * <p>Source: libmemcached 1.1.4, {@code hosts.cc}. No weights.
     *
     * @param hash {@code MEMCACHED_BEHAVIOR_HASH}, by default {@link KeyHash#ONE_AT_A_TIME}
     */
    static Ring libmemcachedConsistent(KeyHash hash) {
        return new PointRing(
                NodeKey.LIBMEMCACHED,
                PointSource.hashed(hash),
                PointCounts.each(PointCounts.LIBMEMCACHED),
                Order.UP,
                Collision.FIRST,
                hash);
    }

    /**
     * Returns the ring of libmemcached's {@code MEMCACHED_BEHAVIOR_KETAMA} and of pylibmc's {@code ketama}:
     * {@link #libmemcachedConsistent} with one-at-a-time, unless {@code MEMCACHED_BEHAVIOR_HASH} is set. Despite its
     * name this ring does not use MD5.
     */
    static Ring libmemcachedKetama() {
        return libmemcachedConsistent(KeyHash.ONE_AT_A_TIME);
    }

    /**
     * Returns the ring of libmemcached's {@code MEMCACHED_BEHAVIOR_KETAMA_WEIGHTED}, of pylibmc's {@code
     * ketama_weighted} and of php-memcached's {@code OPT_LIBKETAMA_COMPATIBLE}. The ring has 160 points for a server of
     * average weight, by MD5 of {@code host:port-0}, or of {@code host-0} for port 11211.
     *
     * <p>Source: libmemcached 1.1.4, {@code hosts.cc}.
     */
    static Ring libmemcachedWeighted() {
        return ketama(NodeKey.LIBMEMCACHED, PointCounts.byShareInFloat(), Collision.FIRST);
    }

    /**
     * Returns libmemcached's {@code CONSISTENT_KETAMA_SPY}, set after {@code KETAMA_WEIGHTED}. The ring differs from
     * {@link #libmemcachedWeighted()} by the MD5 of {@code /host:port-0} for every port.
     */
    static Ring libmemcachedSpy() {
        return ketama(NodeKey.LIBMEMCACHED_SPY, PointCounts.byShareInFloat(), Collision.FIRST);
    }

    /**
     * Returns twemproxy's default ring. The ring is {@link #libmemcachedWeighted()} with keys hashed by
     * {@link KeyHash#FNV1A_64}. Add {@code routedByHashTag("{}")} if a {@code hash_tag} is set.
     *
     * <p>Source: twemproxy 0.5.0, {@code nc_ketama.c}.
     */
    static Ring twemproxy() {
        return twemproxy(KeyHash.FNV1A_64);
    }

    /** Returns {@link #twemproxy()} with another hash of keys. */
    static Ring twemproxy(KeyHash hash) {
        return new PointRing(
                NodeKey.LIBMEMCACHED_OR_PATH,
                PointSource.ketama(Digest.MD5),
                PointCounts.byShareInFloat(),
                Order.UP,
                Collision.FIRST,
                hash);
    }

    /**
     * Returns twemproxy's {@code distribution: modula}: the hash modulo the sum of the weights. Like twemproxy, this
     * ring sorts the servers by the text hashed for them, shorter texts first.
     *
     * <p>Source: twemproxy 0.5.0, {@code nc_modula.c}, {@code conf_validate_server} in {@code nc_conf.c}.
     *
     * @param hash twemproxy's {@code hash}, by default {@link KeyHash#FNV1A_64}
     */
    static Ring twemproxyModula(KeyHash hash) {
        return new ModuloRing(Slots.BY_WEIGHT_SORTED, hash);
    }

    /**
     * Returns Dalli's ring: 160 points for a server of average weight by SHA-1 of {@code host:port:0} and so on. A key
     * belongs to the point at or before its CRC-32. Source: Dalli 3.0.6, {@code ring.rb}.
     */
    static Ring dalli() {
        return new PointRing(
                NodeKey.HOST_PORT,
                PointSource.dalli(),
                PointCounts.byShare(),
                Order.DOWN,
                Collision.FIRST,
                KeyHash.CRC32);
    }

    /**
     * Returns the ring of pymemcache's {@code HashClient}: rendezvous by MurmurHash3 of {@code host:port-key}.
     *
     * <p>pymemcache does not hash its {@code key_prefix}. If you use such a prefix, exclude it with {@link #routedBy}.
     *
     * <p>Source: pymemcache 4.0.0, {@code rendezvous.py}. No weights.
     */
    static Ring pymemcache() {
        return new RendezvousRing();
    }

    /**
     * Returns gomemcache's ring: CRC-32 modulo the number of servers. gomemcache has no weights, but accepts the same
     * server several times. In this ring, the weight is the number of times. Source: gomemcache, {@code selector.go}.
     */
    static Ring gomemcache() {
        return new ModuloRing(Slots.BY_WEIGHT, KeyHash.CRC32);
    }

    /**
     * Returns the default ring of memcached's proxy: jump consistent hash of XXH3. Add servers at the end only, because
     * this ring hashes no names or addresses, and keys depend on the order.
     *
     * <p>Source: memcached 1.6, {@code proxy_lua.c}, {@code proxy_jump_hash.c}. No weights.
     */
    static Ring jump() {
        return new JumpRing(0);
    }

    /** Returns {@link #jump()} with the {@code seed} of a pool of memcached's proxy, at most 1,024 bytes in UTF-8. */
    static Ring jump(String seed) {
        return JumpRing.seeded(seed);
    }

    private static Ring ketama(NodeKey nodeKey, PointCounts counts, Collision collision) {
        return new PointRing(nodeKey, PointSource.ketama(Digest.MD5), counts, Order.UP, collision, KeyHash.MD5);
    }
}
