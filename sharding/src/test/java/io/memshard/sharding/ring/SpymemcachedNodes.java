// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import net.spy.memcached.MemcachedNode;
import net.spy.memcached.NodeLocator;

/** Servers as spymemcached's locators see them, without a connection. */
final class SpymemcachedNodes {

    static {
        // An assertion in there holds for no ring with weights.
        ClassLoader.getSystemClassLoader().setClassAssertionStatus("net.spy.memcached.KetamaNodeLocator", false);
    }

    private SpymemcachedNodes() {}

    static List<MemcachedNode> of(List<Server> servers, Function<Server, InetSocketAddress> address) {
        return servers.stream().map(address).map(SpymemcachedNodes::node).toList();
    }

    private static MemcachedNode node(InetSocketAddress address) {
        return (MemcachedNode) Proxy.newProxyInstance(
                MemcachedNode.class.getClassLoader(),
                new Class<?>[] {MemcachedNode.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getSocketAddress" -> address;
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == arguments[0];
                    case "toString" -> "node " + address;
                    default -> throw new UnsupportedOperationException(method.toString());
                });
    }

    static Map<InetSocketAddress, Integer> weights(List<Server> servers) {
        Map<InetSocketAddress, Integer> weights = new HashMap<>();
        servers.forEach(server -> weights.put(RingFixture.namedAddress(server), server.weight()));
        return weights;
    }

    /** The index of the node that the locator gives a key. */
    static ToIntFunction<String> index(List<MemcachedNode> nodes, NodeLocator locator) {
        Map<MemcachedNode, Integer> indexes = new HashMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            indexes.put(nodes.get(i), i);
        }
        return key -> indexes.get(locator.getPrimary(key));
    }
}
