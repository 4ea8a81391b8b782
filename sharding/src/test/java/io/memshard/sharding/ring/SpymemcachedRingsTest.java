// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import static io.memshard.sharding.ring.RingFixture.assertSame;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import net.spy.memcached.ArrayModNodeLocator;
import net.spy.memcached.DefaultHashAlgorithm;
import net.spy.memcached.KetamaNodeKeyFormatter.Format;
import net.spy.memcached.KetamaNodeLocator;
import net.spy.memcached.MemcachedNode;
import org.junit.jupiter.api.Test;

/** Our rings against spymemcached's own locators. */
class SpymemcachedRingsTest {

    @Test
    void moduloIsThatOfSpymemcached() {
        assertSame(Ring.spymemcached(), RingFixture::mixedServers, servers -> {
            List<MemcachedNode> nodes = SpymemcachedNodes.of(servers, RingFixture::socketAddress);
            return SpymemcachedNodes.index(nodes, new ArrayModNodeLocator(nodes, DefaultHashAlgorithm.NATIVE_HASH));
        });
    }

    @Test
    void ketamaIsThatOfSpymemcached() {
        assertSame(Ring.spymemcachedKetama(), RingFixture::mixedServers, servers -> {
            List<MemcachedNode> nodes = SpymemcachedNodes.of(servers, RingFixture::socketAddress);
            return SpymemcachedNodes.index(nodes, new KetamaNodeLocator(nodes, DefaultHashAlgorithm.KETAMA_HASH));
        });
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
                servers -> ketama(servers, Format.LIBMEMCACHED, SpymemcachedNodes.weights(servers)));
    }

    @Test
    void weightedKetamaOfEqualWeightsIsThatOfSpymemcached() {
        assertSame(
                Ring.spymemcachedWeighted(),
                RingFixture::mixedServers,
                servers -> ketama(servers, Format.LIBMEMCACHED, SpymemcachedNodes.weights(servers)));
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
        List<MemcachedNode> nodes = SpymemcachedNodes.of(servers, RingFixture::namedAddress);
        return SpymemcachedNodes.index(
                nodes, new KetamaNodeLocator(nodes, DefaultHashAlgorithm.KETAMA_HASH, format, weights));
    }
}
