// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import static io.memshard.sharding.ring.RingFixture.assertSame;

import java.lang.reflect.InvocationTargetException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;

/** Our rings against the locators of the AWS ElastiCache cluster client. */
class AwsRingsTest {

    private static final IsolatedClient AWS = new IsolatedClient("aws");

    @Test
    void ketamaOfDiscoveredServersIsThatOfAws() {
        assertSame(Ring.awsKetama(), RingFixture::mixedServers, servers -> original(servers, AwsRingsTest::discovered));
    }

    @Test
    void ketamaOfNamedServersIsThatOfAws() {
        assertSame(
                Ring.awsKetamaStatic(),
                RingFixture::mixedServers,
                servers -> original(servers, RingFixture::socketAddress));
    }

    /** The address that the client makes of an entry of the configuration endpoint. */
    private static InetSocketAddress discovered(Server server) {
        try {
            Class<?> entry = AWS.type("net.spy.memcached.config.NodeEndPoint");
            Object made = entry.getConstructor(String.class, String.class, int.class)
                    .newInstance(
                            server.address().host(),
                            server.ip(),
                            server.address().port());
            return (InetSocketAddress) entry.getMethod("getInetSocketAddress").invoke(made);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static ToIntFunction<String> original(List<Server> servers, Function<Server, InetSocketAddress> address) {
        try {
            List<Object> nodes = AWS.nodes(servers.stream().map(address).toList());
            Object locator = AWS.type("net.spy.memcached.KetamaNodeLocator")
                    .getConstructor(List.class, AWS.type("net.spy.memcached.HashAlgorithm"))
                    .newInstance(nodes, AWS.ketamaHash());
            return AWS.index(nodes, locator);
        } catch (InvocationTargetException e) {
            throw new AssertionError(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
