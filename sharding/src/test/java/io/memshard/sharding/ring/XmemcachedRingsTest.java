// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import static io.memshard.sharding.ring.RingFixture.assertSame;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.code.yanf4j.core.Session;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;
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
import org.junit.jupiter.api.Test;

/** Our rings against XMemcached's own locators. */
class XmemcachedRingsTest {

    @Test
    void moduloIsThatOfXmemcached() {
        assertSame(
                Ring.xmemcached(),
                RingFixture::mixedServers,
                servers -> original(new ArrayMemcachedSessionLocator(), servers));
    }

    @Test
    void weightedModuloIsThatOfXmemcached() {
        assertSame(
                Ring.xmemcached(),
                count -> RingFixture.weighted(RingFixture.mixedServers(count)),
                servers -> original(new ArrayMemcachedSessionLocator(), servers));
    }

    @Test
    void ketamaIsThatOfXmemcached() {
        assertSame(
                Ring.xmemcachedKetama(),
                RingFixture::mixedServers,
                servers -> original(new KetamaMemcachedSessionLocator(), servers));
    }

    @Test
    void weightedKetamaIsThatOfXmemcached() {
        assertSame(
                Ring.xmemcachedKetama(),
                count -> RingFixture.weighted(RingFixture.mixedServers(count)),
                servers -> original(new KetamaMemcachedSessionLocator(), servers));
    }

    @Test
    void ketamaForNginxIsThatOfXmemcached() {
        assertSame(
                Ring.xmemcachedKetamaNginx(),
                count -> RingFixture.weighted(RingFixture.mixedServers(count)),
                servers -> original(new KetamaMemcachedSessionLocator(true), servers));
    }

    @Test
    void ketamaForGwhalinIsThatOfXmemcached() {
        assertSame(
                Ring.xmemcachedKetamaGwhalin(),
                count -> RingFixture.weighted(RingFixture.mixedServers(count)),
                servers -> original(
                        new KetamaMemcachedSessionLocator(HashAlgorithm.KETAMA_HASH, false, true),
                        servers,
                        RingFixture::namedAddress));
    }

    @Test
    void consistentForLibmemcachedIsThatOfXmemcached() {
        assertSame(
                Ring.xmemcachedLibmemcached(),
                RingFixture::mixedServers,
                servers -> original(new LibmemcachedMemcachedSessionLocator(), servers, RingFixture::namedAddress));
    }

    /** Two servers with the same node key have all their points in common. */
    @Test
    void aPointOfSeveralServersIsGivenToOneAsByXmemcached() {
        List<Server> servers = List.of(
                Server.parse("10.0.0.1:11211"),
                Server.parse("10.0.0.2:11211"),
                Server.parse("10.0.0.1:11211").withZone("eu-1"));
        ServerLocator ours = Ring.xmemcachedKetama().locator(servers);
        ToIntFunction<String> theirs = original(new KetamaMemcachedSessionLocator(), servers);
        assertThat(RingFixture.RANDOM_KEYS.subList(0, 1000))
                .allSatisfy(key -> assertThat(ours.locate(key)).isEqualTo(theirs.applyAsInt(key)));
    }

    private static ToIntFunction<String> original(MemcachedSessionLocator locator, List<Server> servers) {
        return original(locator, servers, RingFixture::socketAddress);
    }

    private static ToIntFunction<String> original(
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
            try {
                UnconnectedSession session = Blank.instance(UnconnectedSession.class);
                session.address = address;
                session.wrapper = new InetSocketAddressWrapper(address, 0, weight, null, false);
                session.wrapper.setRemoteAddressStr(String.valueOf(address));
                return session;
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
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
}
