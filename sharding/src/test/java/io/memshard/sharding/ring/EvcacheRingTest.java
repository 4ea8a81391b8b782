// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import static io.memshard.sharding.ring.RingFixture.assertSame;

import java.util.List;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;

/** Our ring against EVCache's own locator. */
class EvcacheRingTest {

    private static final IsolatedClient EVCACHE = new IsolatedClient("evcache");

    @Test
    void ringIsThatOfEvcache() {
        assertSame(Ring.evcache(), RingFixture::mixedServers, servers -> original("WHOLE", servers));
    }

    @Test
    void ringOfPartialKeysIsThatOfEvcache() throws ReflectiveOperationException {
        setProperty("PARTIAL.hash.on.partial.key", "true");
        setProperty("PARTIAL.hash.delimiter", "a");
        assertSame(
                Ring.evcache().routedByPartBefore("a"),
                RingFixture::mixedServers,
                servers -> original("PARTIAL", servers));
    }

    private static void setProperty(String name, String value) throws ReflectiveOperationException {
        Object configuration = EVCACHE.type("com.netflix.config.ConfigurationManager")
                .getMethod("getConfigInstance")
                .invoke(null);
        configuration
                .getClass()
                .getMethod("setProperty", String.class, Object.class)
                .invoke(configuration, name, value);
    }

    private static ToIntFunction<String> original(String application, List<Server> servers) {
        try {
            Class<?> clientType = EVCACHE.type("com.netflix.evcache.pool.EVCacheClient");
            Object client = Blank.instance(clientType);
            Blank.set(client, clientType, "appName", application);
            Class<?> settingsType = EVCACHE.type("com.netflix.evcache.pool.EVCacheKetamaNodeLocatorConfiguration");
            Object settings = settingsType.getConstructor(clientType).newInstance(client);
            List<Object> nodes = EVCACHE.nodes(
                    servers.stream().map(RingFixture::namedAddress).toList());
            Object locator = EVCACHE.type("com.netflix.evcache.pool.EVCacheNodeLocator")
                    .getConstructor(
                            clientType,
                            List.class,
                            EVCACHE.type("net.spy.memcached.HashAlgorithm"),
                            EVCACHE.type("net.spy.memcached.util.KetamaNodeLocatorConfiguration"))
                    .newInstance(client, nodes, EVCACHE.ketamaHash(), settings);
            return EVCACHE.index(nodes, locator);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
