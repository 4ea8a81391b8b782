// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.client.options.ServerAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What each ring promises, whosever it is. */
class ServerLocatorTest {

    private static final int SERVERS = 10;

    private static final List<Server> FLEET = RingFixture.mixedServers(SERVERS);

    private static final List<String> SOME_KEYS = RingFixture.RANDOM_KEYS.subList(0, 1_000);

    static List<String> names() {
        return List.copyOf(Ring.names());
    }

    private static ServerLocator locator(String ring, List<Server> servers) {
        return Ring.named(ring).locator(servers);
    }

    @ParameterizedTest
    @MethodSource("names")
    void withoutRefusalTheFirstServerIsTheKeysOwn(String ring) {
        ServerLocator locator = locator(ring, FLEET);
        assertThat(SOME_KEYS)
                .allSatisfy(
                        key -> assertThat(locator.locate(key, server -> true)).isEqualTo(locator.locate(key)));
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyServerComesInTheOrderOfAKey(String ring) {
        ServerLocator locator = locator(ring, FLEET);
        for (String key : SOME_KEYS.subList(0, 200)) {
            Set<Integer> tried = new HashSet<>();
            locator.locate(key, server -> {
                tried.add(server);
                return false;
            });
            assertThat(tried).as("servers in the order of %s", key).hasSize(SERVERS);
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void aServerThatIsRefusedLosesOnlyItsOwnKeys(String ring) {
        ServerLocator locator = locator(ring, FLEET);
        int refused = 3;
        for (String key : SOME_KEYS) {
            int own = locator.locate(key);
            int instead = locator.locate(key, server -> server != refused);
            if (own == refused) {
                assertThat(instead).isBetween(0, SERVERS - 1).isNotEqualTo(refused);
            } else {
                assertThat(instead).isEqualTo(own);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void noServerIsFoundWhereNoneIsAccepted(String ring) {
        ServerLocator locator = locator(ring, FLEET);
        assertThat(locator.locate("key", server -> false)).isEqualTo(ServerLocator.NONE);
        for (int only = 0; only < SERVERS; only++) {
            int accepted = only;
            assertThat(locator.locate("key", server -> server == accepted)).isEqualTo(only);
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void whereNoneIsAcceptedEachServerIsTestedOnlyAFewTimes(String ring) {
        AtomicInteger tests = new AtomicInteger();
        locator(ring, FLEET).locate("key", server -> tests.incrementAndGet() < 0);
        assertThat(tests).hasValueLessThan(5 * SERVERS);
    }

    @ParameterizedTest
    @MethodSource("names")
    void aListThatChangesAfterwardsChangesNothing(String ring) {
        List<Server> list = new ArrayList<>(FLEET);
        ServerLocator locator = locator(ring, list);
        list.clear();
        assertThat(locator.servers()).isEqualTo(FLEET).isUnmodifiable();
        assertThat(locator.locate("key")).isBetween(0, SERVERS - 1);
    }

    @ParameterizedTest
    @MethodSource("names")
    void anEmptyListIsRefused(String ring) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> locator(ring, List.of()))
                .withMessage("the list of servers is empty: name a server, such as cache-1:11211");
    }

    /** A name stands for the address, which may then change; modulo and jump hash neither. */
    @ParameterizedTest
    @MethodSource("names")
    void aServerWithANameKeepsItsKeysAtAnotherAddress(String ring) {
        List<Server> before = IntStream.range(0, SERVERS)
                .mapToObj(i -> Server.parse("cache-" + i + "=10.0.0." + i + ":11211"))
                .toList();
        List<Server> after = before.stream()
                .map(server -> Server.of(new ServerAddress("elsewhere", 1)).withName(String.valueOf(server.name())))
                .toList();
        ServerLocator first = locator(ring, before);
        ServerLocator second = locator(ring, after);
        assertThat(SOME_KEYS).allSatisfy(key -> assertThat(second.locate(key)).isEqualTo(first.locate(key)));
    }

    @Test
    void weightsAreRefusedByARingWithoutThem() {
        List<Server> weighted = List.of(Server.parse("10.0.0.1:11211"), Server.parse("10.0.0.2:11211*2"));
        for (String ring : List.of(
                "spymemcached",
                "spymemcached-ketama",
                "aws-ketama",
                "evcache",
                "folsom",
                "pymemcache",
                "jump",
                "libmemcached",
                "libmemcached-ketama",
                "xmemcached-libmemcached")) {
            assertThatIllegalArgumentException()
                    .as(ring)
                    .isThrownBy(() -> locator(ring, weighted))
                    .withMessage("server 10.0.0.2:11211*2 has a weight, which this ring does not support: remove"
                            + " the weight, or use a ring with weights");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"xmemcached-ketama-gwhalin", "xmemcached", "twemproxy-modula", "gomemcache"})
    void weightsWithMorePointsThanARingMayHaveAreRefused(String ring) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> locator(ring, Collections.nCopies(300, Server.parse("cache*65535"))))
                .withMessageContaining("at most 10000000")
                .withMessageContaining("divide all weights");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> locator(ring, Collections.nCopies(3, Server.parse("cache*999999999"))));
        assertThat(locator(ring, Server.parseAll("a*100, b*100, c*100")).servers())
                .hasSize(3);
    }

    @Test
    void anUnknownIpAddressIsRefusedByARingThatHashesIt() {
        List<Server> unresolved = List.of(Server.parse("cache-1"));
        for (String ring : List.of(
                "spymemcached-ketama", "xmemcached-ketama", "xmemcached-ketama-nginx", "aws-ketama", "evcache")) {
            assertThatIllegalArgumentException()
                    .as(ring)
                    .isThrownBy(() -> locator(ring, unresolved))
                    .withMessage("server cache-1:11211 has no IP address, but this ring hashes IP addresses: set"
                            + " the IP address by Server.withIp, or name the server");
        }
    }

    @Test
    void anUnknownRingIsRefusedWithTheKnownOnes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Ring.named("ketama"))
                .withMessageStartingWith("ring \"ketama\" is unknown: write one of aws-ketama, ")
                .withMessageContaining(" spymemcached-ketama, ");
    }
}
