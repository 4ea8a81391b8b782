// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.spotify.folsom.RawMemcacheClient;
import com.spotify.folsom.guava.HostAndPort;
import com.spotify.folsom.ketama.AddressAndClient;
import com.spotify.folsom.ketama.Continuum;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Our ring against folsom's own. */
class FolsomRingTest {

    @Test
    void ringIsThatOfFolsom() {
        RingFixture.assertSame(Ring.folsom(), RingFixture::mixedServers, FolsomRingTest::original);
    }

    /** Two servers with the same address have all their points in common. */
    @Test
    void aPointOfSeveralServersIsGivenToOneAsByFolsom() {
        RingFixture.assertSame(
                Ring.folsom(),
                count -> Stream.concat(RingFixture.mixedServers(count).stream(), RingFixture.mixedServers(2).stream())
                        .toList(),
                FolsomRingTest::original);
    }

    private static ToIntFunction<String> original(List<Server> servers) {
        List<AddressAndClient> clients = new ArrayList<>();
        Map<RawMemcacheClient, Integer> indexes = new HashMap<>();
        for (Server server : servers) {
            RawMemcacheClient client = connected();
            indexes.put(client, clients.size());
            clients.add(new AddressAndClient(
                    HostAndPort.fromParts(
                            server.address().host(), server.address().port()),
                    client));
        }
        Continuum continuum = new Continuum(clients);
        return key -> indexes.get(continuum.findClient(key.getBytes(UTF_8)));
    }

    private static RawMemcacheClient connected() {
        return (RawMemcacheClient) Proxy.newProxyInstance(
                RawMemcacheClient.class.getClassLoader(),
                new Class<?>[] {RawMemcacheClient.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "isConnected" -> true;
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == arguments[0];
                    default -> throw new UnsupportedOperationException(method.toString());
                });
    }
}
