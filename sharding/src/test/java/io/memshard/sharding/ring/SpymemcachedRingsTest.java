// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import static io.memshard.sharding.ring.RingFixture.assertSame;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.spy.memcached.ArrayModNodeLocator;
import net.spy.memcached.DefaultHashAlgorithm;
import net.spy.memcached.KetamaNodeKeyFormatter.Format;
import net.spy.memcached.KetamaNodeLocator;
import net.spy.memcached.MemcachedNode;
import net.spy.memcached.NodeLocator;
import org.junit.jupiter.api.Test;

/** Our rings against spymemcached's own locators. */
class SpymemcachedRingsTest {

    static {
        // An assertion in there holds for no ring with weights.
        ClassLoader.getSystemClassLoader().setClassAssertionStatus("net.spy.memcached.KetamaNodeLocator", false);
    }

    @Test
    void moduloIsThatOfSpymemcached() {
        assertSame(
                Ring.spymemcached(),
                RingFixture::mixedServers,
                servers -> original(
                        servers,
                        RingFixture::socketAddress,
                        nodes -> new ArrayModNodeLocator(nodes, DefaultHashAlgorithm.NATIVE_HASH)));
    }

    @Test
    void ketamaIsThatOfSpymemcached() {
        assertSame(
                Ring.spymemcachedKetama(),
                RingFixture::mixedServers,
                servers -> original(
                        servers,
                        RingFixture::socketAddress,
                        nodes -> new KetamaNodeLocator(nodes, DefaultHashAlgorithm.KETAMA_HASH)));
    }

    @Test
    void ketamaInTheOtherFormatIsThatOfSpymemcached() {
        assertSame(
                Ring.spymemcachedKetamaLibmemcached(),
                RingFixture::mixedServers,
                servers -> ketama(servers, Format.LIBMEMCACHED, Map.of()));
    }

    @Test
    void weightedKetamaIsThatOfSpymemcached() {
        assertSame(
                Ring.spymemcachedWeighted(),
                count -> RingFixture.weighted(RingFixture.mixedServers(count)),
                servers -> ketama(servers, Format.LIBMEMCACHED, weights(servers)));
    }

    @Test
    void weightedKetamaOfEqualWeightsIsThatOfSpymemcached() {
        assertSame(
                Ring.spymemcachedWeighted(),
                RingFixture::mixedServers,
                servers -> ketama(servers, Format.LIBMEMCACHED, weights(servers)));
    }

    /** Two servers with the same node key have all their points in common. */
    @Test
    void aPointOfSeveralServersIsGivenToOneAsBySpymemcached() {
        assertSame(
                Ring.spymemcachedKetamaLibmemcached(),
                count -> Stream.concat(RingFixture.mixedServers(count).stream(), RingFixture.mixedServers(2).stream())
                        .toList(),
                servers -> ketama(servers, Format.LIBMEMCACHED, Map.of()));
    }

    private static ToIntFunction<String> ketama(
            List<Server> servers, Format format, Map<InetSocketAddress, Integer> weights) {
        return original(
                servers,
                RingFixture::namedAddress,
                nodes -> new KetamaNodeLocator(nodes, DefaultHashAlgorithm.KETAMA_HASH, format, weights));
    }

    private static Map<InetSocketAddress, Integer> weights(List<Server> servers) {
        return servers.stream().collect(Collectors.toMap(RingFixture::namedAddress, Server::weight));
    }

    private static ToIntFunction<String> original(
            List<Server> servers,
            Function<Server, InetSocketAddress> address,
            Function<List<MemcachedNode>, NodeLocator> locator) {
        List<Object> nodes =
                IsolatedClient.SPYMEMCACHED.nodes(servers.stream().map(address).toList());
        List<MemcachedNode> typed =
                nodes.stream().map(MemcachedNode.class::cast).toList();
        try {
            return IsolatedClient.SPYMEMCACHED.index(nodes, locator.apply(typed));
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
