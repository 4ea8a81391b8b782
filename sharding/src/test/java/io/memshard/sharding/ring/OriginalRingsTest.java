// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.code.yanf4j.core.Session;
import com.spotify.folsom.RawMemcacheClient;
import com.spotify.folsom.guava.HostAndPort;
import com.spotify.folsom.ketama.AddressAndClient;
import com.spotify.folsom.ketama.Continuum;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.rubyeye.xmemcached.HashAlgorithm;
import net.rubyeye.xmemcached.MemcachedSessionLocator;
import net.rubyeye.xmemcached.command.TextCommandFactory;
import net.rubyeye.xmemcached.impl.ArrayMemcachedSessionLocator;
import net.rubyeye.xmemcached.impl.KetamaMemcachedSessionLocator;
import net.rubyeye.xmemcached.impl.LibmemcachedMemcachedSessionLocator;
import net.rubyeye.xmemcached.impl.MemcachedTCPSession;
import net.rubyeye.xmemcached.impl.Optimizer;
import net.rubyeye.xmemcached.utils.InetSocketAddressWrapper;
import net.rubyeye.xmemcached.utils.Protocol;
import net.spy.memcached.ArrayModNodeLocator;
import net.spy.memcached.DefaultHashAlgorithm;
import net.spy.memcached.KetamaNodeKeyFormatter.Format;
import net.spy.memcached.KetamaNodeLocator;
import net.spy.memcached.MemcachedNode;
import net.spy.memcached.NodeLocator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Our rings against the locators of the Java clients that they come from. */
class OriginalRingsTest {

    static {
        // An assertion in there holds for no ring with weights.
        ClassLoader.getSystemClassLoader().setClassAssertionStatus("net.spy.memcached.KetamaNodeLocator", false);
    }

    private static final OtherClient SPYMEMCACHED = new OtherClient();
    private static final OtherClient AWS = new OtherClient("aws");
    private static final OtherClient EVCACHE = new OtherClient("evcache");

    /** Two servers with the same node key have all their points in common. */
    private static final IntFunction<List<Server>> WITH_COMMON_POINTS =
            count -> Stream.concat(RingFixture.mixedServers(count).stream(), RingFixture.mixedServers(2).stream())
                    .toList();

    private static final List<Server> THREE_WITH_COMMON_POINTS = List.of(
            Server.parse("10.0.0.1:11211"),
            Server.parse("10.0.0.2:11211"),
            Server.parse("10.0.0.1:11211").withZone("eu-1"));

    /** A ring, and the locator that it copies: from servers, the function from a key to an index. */
    private record Comparison(
            String name,
            Ring ring,
            IntFunction<List<Server>> servers,
            Function<List<Server>, ToIntFunction<String>> original) {

        static Comparison of(String name, Ring ring, Function<List<Server>, ToIntFunction<String>> original) {
            return new Comparison(name, ring, RingFixture::mixedServers, original);
        }

        Comparison with(String more, IntFunction<List<Server>> others) {
            return new Comparison(name + more, ring, others, original);
        }

        Comparison weighted() {
            return with(", weighted", count -> RingFixture.weighted(RingFixture.mixedServers(count)));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Comparison> comparisons() throws ReflectiveOperationException {
        setProperty("PARTIAL.hash.on.partial.key", "true");
        setProperty("PARTIAL.hash.delimiter", "a");
        Comparison libmemcached = Comparison.of(
                "spymemcached for libmemcached",
                Ring.spymemcachedKetamaLibmemcached(),
                servers -> spymemcached(servers, Map.of()));
        Comparison weighted = Comparison.of(
                "spymemcached with weights",
                Ring.spymemcachedWeighted(),
                servers -> spymemcached(
                        servers,
                        servers.stream().collect(Collectors.toMap(RingFixture::namedAddress, Server::weight))));
        Comparison modulo = Comparison.of(
                "XMemcached", Ring.xmemcached(), servers -> xmemcached(new ArrayMemcachedSessionLocator(), servers));
        Comparison ketama = Comparison.of(
                "XMemcached's ketama",
                Ring.xmemcachedKetama(),
                servers -> xmemcached(new KetamaMemcachedSessionLocator(), servers));
        Comparison folsom = Comparison.of("folsom", Ring.folsom(), OriginalRingsTest::folsom);
        return Stream.of(
                Comparison.of(
                        "spymemcached",
                        Ring.spymemcached(),
                        servers -> spymemcached(
                                servers, nodes -> new ArrayModNodeLocator(nodes, DefaultHashAlgorithm.NATIVE_HASH))),
                Comparison.of(
                        "spymemcached's ketama",
                        Ring.spymemcachedKetama(),
                        servers -> spymemcached(
                                servers, nodes -> new KetamaNodeLocator(nodes, DefaultHashAlgorithm.KETAMA_HASH))),
                libmemcached,
                libmemcached.with(", common points", WITH_COMMON_POINTS),
                weighted,
                weighted.weighted(),
                modulo,
                modulo.weighted(),
                ketama,
                ketama.weighted(),
                ketama.with(", common points", count -> THREE_WITH_COMMON_POINTS),
                Comparison.of(
                                "XMemcached for nginx",
                                Ring.xmemcachedKetamaNginx(),
                                servers -> xmemcached(new KetamaMemcachedSessionLocator(true), servers))
                        .weighted(),
                Comparison.of(
                                "XMemcached for gwhalin",
                                Ring.xmemcachedKetamaGwhalin(),
                                servers -> xmemcached(
                                        new KetamaMemcachedSessionLocator(HashAlgorithm.KETAMA_HASH, false, true),
                                        servers,
                                        RingFixture::namedAddress))
                        .weighted(),
                Comparison.of(
                        "XMemcached for libmemcached",
                        Ring.xmemcachedLibmemcached(),
                        servers -> xmemcached(
                                new LibmemcachedMemcachedSessionLocator(), servers, RingFixture::namedAddress)),
                Comparison.of(
                        "AWS, discovered servers",
                        Ring.awsKetama(),
                        servers -> aws(servers, OriginalRingsTest::discovered)),
                Comparison.of(
                        "AWS, named servers",
                        Ring.awsKetamaStatic(),
                        servers -> aws(servers, RingFixture::socketAddress)),
                Comparison.of("EVCache", Ring.evcache(), servers -> evcache("WHOLE", servers)),
                Comparison.of(
                        "EVCache, partial keys",
                        Ring.evcache().routedByPartBefore("a"),
                        servers -> evcache("PARTIAL", servers)),
                folsom,
                folsom.with(", common points", WITH_COMMON_POINTS));
    }

    @ParameterizedTest
    @MethodSource("comparisons")
    void ringMatchesItsClient(Comparison comparison) {
        RingFixture.assertSame(comparison.ring, comparison.servers, comparison.original);
    }

    private static ToIntFunction<String> spymemcached(
            List<Server> servers, Function<List<MemcachedNode>, NodeLocator> locator) {
        List<Object> nodes = SPYMEMCACHED.nodes(
                servers.stream().map(RingFixture::socketAddress).toList());
        return SPYMEMCACHED.index(
                nodes,
                locator.apply(nodes.stream().map(MemcachedNode.class::cast).toList()));
    }

    private static ToIntFunction<String> spymemcached(List<Server> servers, Map<InetSocketAddress, Integer> weights) {
        List<Object> nodes = SPYMEMCACHED.nodes(
                servers.stream().map(RingFixture::namedAddress).toList());
        return SPYMEMCACHED.index(
                nodes,
                new KetamaNodeLocator(
                        nodes.stream().map(MemcachedNode.class::cast).toList(),
                        DefaultHashAlgorithm.KETAMA_HASH,
                        Format.LIBMEMCACHED,
                        weights));
    }

    private static ToIntFunction<String> xmemcached(MemcachedSessionLocator locator, List<Server> servers) {
        return xmemcached(locator, servers, RingFixture::socketAddress);
    }

    private static ToIntFunction<String> xmemcached(
            MemcachedSessionLocator locator, List<Server> servers, Function<Server, InetSocketAddress> address) {
        List<Session> sessions = new ArrayList<>();
        Map<Session, Integer> indexes = new HashMap<>();
        for (Server server : servers) {
            Session session = UnconnectedSession.to(address.apply(server), server.weight());
            indexes.put(session, sessions.size());
            sessions.add(session);
        }
        locator.updateSessions(sessions);
        return key -> indexes.get(locator.getSessionByKey(key));
    }

    /** A session that knows where it would be connected to. */
    private static final class UnconnectedSession extends MemcachedTCPSession {

        private InetSocketAddress address;
        private InetSocketAddressWrapper wrapper;

        private UnconnectedSession() {
            super(null, 0, new Optimizer(Protocol.Text), 0, new TextCommandFactory());
            throw new AssertionError("is made without this");
        }

        static Session to(InetSocketAddress address, int weight) {
            UnconnectedSession session = OtherClient.blank(UnconnectedSession.class);
            session.address = address;
            session.wrapper = new InetSocketAddressWrapper(address, 0, weight, null, false);
            session.wrapper.setRemoteAddressStr(String.valueOf(address));
            return session;
        }

        @Override
        public InetSocketAddress getRemoteSocketAddress() {
            return address;
        }

        @Override
        public InetSocketAddressWrapper getInetSocketAddressWrapper() {
            return wrapper;
        }
    }

    /** The address that the AWS client makes of an entry of the configuration endpoint. */
    private static InetSocketAddress discovered(Server server) {
        Object entry = AWS.made(
                "net.spy.memcached.config.NodeEndPoint",
                server.address().host(),
                server.ip(),
                server.address().port());
        return (InetSocketAddress) OtherClient.called(entry, "getInetSocketAddress");
    }

    private static ToIntFunction<String> aws(List<Server> servers, Function<Server, InetSocketAddress> address) {
        List<Object> nodes = AWS.nodes(servers.stream().map(address).toList());
        return AWS.index(nodes, AWS.made("net.spy.memcached.KetamaNodeLocator", nodes, AWS.ketamaHash()));
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

    private static ToIntFunction<String> evcache(String application, List<Server> servers) {
        Object client = OtherClient.blank(EVCACHE.type("com.netflix.evcache.pool.EVCacheClient"));
        OtherClient.set(client, "appName", application);
        Object settings = EVCACHE.made("com.netflix.evcache.pool.EVCacheKetamaNodeLocatorConfiguration", client);
        List<Object> nodes =
                EVCACHE.nodes(servers.stream().map(RingFixture::namedAddress).toList());
        return EVCACHE.index(
                nodes,
                EVCACHE.made(
                        "com.netflix.evcache.pool.EVCacheNodeLocator", client, nodes, EVCACHE.ketamaHash(), settings));
    }

    private static ToIntFunction<String> folsom(List<Server> servers) {
        List<AddressAndClient> clients = new ArrayList<>();
        Map<RawMemcacheClient, Integer> indexes = new HashMap<>();
        for (Server server : servers) {
            RawMemcacheClient client = OtherClient.proxy(RawMemcacheClient.class, Map.of("isConnected", true));
            indexes.put(client, clients.size());
            clients.add(new AddressAndClient(
                    HostAndPort.fromParts(
                            server.address().host(), server.address().port()),
                    client));
        }
        Continuum continuum = new Continuum(clients);
        return key -> indexes.get(continuum.findClient(key.getBytes(UTF_8)));
    }
}
