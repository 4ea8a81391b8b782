// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.memshard.sharding.discovery.ScriptedDns.Mood;
import io.memshard.sharding.ring.Server;
import io.memshard.testkit.LeakCheck;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.InetSocketAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class DnsSourceTest {

    private static final String NAME = "memcached.default.svc.cluster.local";
    private static final String SERVICE = "_memcached._tcp." + NAME;
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofSeconds(1);

    private LeakCheck leaks;
    private ScriptedDns dns;

    @BeforeEach
    void startServer() {
        dns = ScriptedDns.start();
        leaks = LeakCheck.start();
    }

    @AfterEach
    void nothingIsLeft() {
        leaks.assertNothingLeft();
        dns.close();
    }

    private DnsSource addresses() {
        return DnsSource.addresses(NAME, 11211).withNameServers(dns.address());
    }

    private DnsSource services() {
        return DnsSource.services(SERVICE).withNameServers(dns.address());
    }

    private static List<String> texts(DnsSource source) throws Exception {
        return source.servers(LONG).stream().map(Server::toString).toList();
    }

    private static String pod(int index) {
        return "memcached-" + index + "." + NAME;
    }

    private static String named(int index, String ip) {
        return pod(index) + ":11211=" + ip + ":11211";
    }

    @Test
    void eachAddressIsAServerInTheOrderOfTheAddresses() throws Exception {
        dns.addresses(NAME, "10.0.0.10", "10.0.0.9", "192.168.0.1", "9.0.0.1", "fd00::1");

        assertThat(texts(addresses()))
                .containsExactly("9.0.0.1:11211", "10.0.0.9:11211", "10.0.0.10:11211", "192.168.0.1:11211");
        assertThat(dns.questions()).containsExactly("A " + NAME);
    }

    @Test
    void ipv6AddressesCountWhereThereAreNoOthers() throws Exception {
        dns.addresses(NAME, "fd00::2", "fd00::1");

        assertThat(texts(addresses())).containsExactly("[fd00:0:0:0:0:0:0:1]:11211", "[fd00:0:0:0:0:0:0:2]:11211");
        assertThat(dns.questions()).containsExactly("A " + NAME, "AAAA " + NAME);
    }

    @Test
    void aliasesAreFollowed() throws Exception {
        dns.alias(NAME, "b.example").alias("b.example", "c.example").alias(SERVICE, "s.example");
        dns.addresses("c.example", "10.0.0.1").services("s.example", "0 0 11211 " + NAME);

        assertThat(texts(addresses())).containsExactly("10.0.0.1:11211");
        assertThat(texts(services())).containsExactly(NAME + ":11211=10.0.0.1:11211");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0 /run/docker.sock",
                "0 cache.example",
                "11211 /run/docker.sock",
                "11211 a=b",
                "11211 a@zone",
                "11211 *",
                "11211 [::1]",
                "11211 a,b",
                "11211 a*2",
                "11211 -a"
            })
    void aServiceWithoutHostAndPortFailsTheLookup(String portAndTarget) {
        dns.services(SERVICE, "0 0 11211 " + pod(0), "0 0 " + portAndTarget).addresses(pod(0), "10.0.0.1");

        for (DnsSource source : List.of(services(), services().withHostNames())) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> source.servers(LONG))
                    .withMessageContaining("illegal address \"" + portAndTarget.split(" ")[1])
                    .withMessageContaining("; a host must be an IP address or a name");
        }
    }

    @Test
    void aTargetOfSeveralServicesIsQueriedOnce() throws Exception {
        dns.services(SERVICE, "0 0 11211 " + pod(0), "0 0 11213 " + pod(1), "0 0 11212 " + pod(0));
        dns.addresses(pod(0), "10.0.0.1");

        assertThat(services().servers(LONG)).hasSize(3);
        assertThat(dns.questions()).containsExactly("SRV " + SERVICE, "A " + pod(0), "A " + pod(1), "AAAA " + pod(1));
    }

    @Test
    void serversOfAServiceAreNamedAndSortedByTheirTargets() throws Exception {
        dns.services(SERVICE, "0 33 11211 " + pod(10), "0 33 11211 " + pod(2), "0 33 11212 " + pod(2));
        dns.addresses(pod(10), "10.0.0.1").addresses(pod(2), "10.0.0.2");

        assertThat(texts(services()))
                .containsExactly(named(2, "10.0.0.2"), pod(2) + ":11212=10.0.0.2:11212", named(10, "10.0.0.1"));
        assertThat(services().servers(LONG).get(0).ip()).isEqualTo("10.0.0.2");
    }

    @Test
    void numbersInNamesCountAsNumbers() throws Exception {
        List<String> ordered = List.of(
                "10.example:1",
                "cache-0.example:9",
                "cache-0.example:10",
                "cache-2.example:1",
                "cache-010.example:1",
                "cache-10.example:1",
                "cache-99999999999999999999999.example:1",
                "other:1");
        List<String> shuffled = new ArrayList<>(ordered);
        Collections.shuffle(shuffled, new Random(1));
        dns.services(
                SERVICE,
                shuffled.stream()
                        .map(server -> server.split(":"))
                        .map(server -> "0 0 " + server[1] + " " + server[0])
                        .toArray(String[]::new));

        assertThat(texts(services().withHostNames())).isEqualTo(ordered);
    }

    @Test
    void aPodThatReturnsWithAnotherAddressKeepsItsName() throws Exception {
        DnsSource source = services();
        dns.services(SERVICE, "0 50 11211 " + pod(0), "0 50 11211 " + pod(1));
        dns.addresses(pod(0), "10.0.0.1").addresses(pod(1), "10.0.0.2");
        assertThat(texts(source)).containsExactly(named(0, "10.0.0.1"), named(1, "10.0.0.2"));

        dns.forget(pod(1));
        assertThat(texts(source))
                .as("its address is not known")
                .containsExactly(named(0, "10.0.0.1"), named(1, "10.0.0.2"));

        dns.addresses(pod(1), "10.0.0.7");
        assertThat(texts(source)).containsExactly(named(0, "10.0.0.1"), named(1, "10.0.0.7"));
    }

    @Test
    void aTargetThatNeverHadAnAddressIsConnectedToByName() throws Exception {
        dns.services(SERVICE, "0 0 11211 " + pod(0), "0 0 11211 " + pod(1));
        dns.addresses(pod(0), "10.0.0.1");

        assertThat(texts(services())).containsExactly(named(0, "10.0.0.1"), named(1, pod(1)));
    }

    @Test
    void aTargetWithSeveralAddressesKeepsTheOneThatItHas() throws Exception {
        DnsSource source = services();
        dns.services(SERVICE, "0 0 11211 " + pod(0));
        dns.addresses(pod(0), "10.0.0.5", "10.0.0.4");
        assertThat(texts(source)).containsExactly(named(0, "10.0.0.4"));
        dns.addresses(pod(0), "10.0.0.3", "10.0.0.4");
        assertThat(texts(source)).containsExactly(named(0, "10.0.0.4"));
        dns.addresses(pod(0), "10.0.0.3", "10.0.0.5");
        assertThat(texts(source)).containsExactly(named(0, "10.0.0.3"));
    }

    @Test
    void onlyTheFirstPriorityAndRealTargetsCountAndCaseDoesNot() throws Exception {
        dns.services(SERVICE, "10 0 11211 spare." + NAME, "5 0 11211 Memcached-0." + NAME, "5 0 11211 .");
        dns.addresses(pod(0), "10.0.0.1");

        assertThat(texts(services())).containsExactly(named(0, "10.0.0.1"));
    }

    @Test
    void hostNamesAreTheAddressesIfConfigured() throws Exception {
        dns.services(SERVICE, "0 0 11211 " + pod(10), "0 0 11211 " + pod(9));

        assertThat(texts(services().withHostNames())).containsExactly(pod(9) + ":11211", pod(10) + ":11211");
        assertThat(dns.questions()).containsExactly("SRV " + SERVICE);
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVFAIL", "EMPTY", "BAD_RECORDS"})
    void aFailingNameServerFailsTheLookupAndIsNamed(Mood mood) {
        dns.addresses(NAME, "10.0.0.1", "10.0.0.2")
                .services(SERVICE, "0 0 1 a", "0 0 1 b")
                .mood(mood);

        for (DnsSource source : List.of(addresses(), services())) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> source.servers(LONG))
                    .satisfies(e -> {
                        if (mood != Mood.BAD_RECORDS) {
                            assertThat(e).hasMessageContainingAll("name server 127.0.0.1:", "queried for", "memcached");
                        }
                    });
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"TRUNCATED_WITHOUT_TCP", "SILENT", "GARBAGE"})
    void aSilentNameServerFailsTheLookupInTime(Mood mood) {
        dns.addresses(NAME, "10.0.0.1", "10.0.0.2").mood(mood);

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> addresses().servers(SHORT))
                .withMessageContaining(NAME);
    }

    @Test
    void aMissingNameIsNotQueriedTwice() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> services().servers(LONG))
                .withMessageContainingAll(
                        "SRV records of " + SERVICE, "NXDOMAIN", "configure the fully qualified name");
        assertThat(dns.questions()).containsExactly("SRV " + SERVICE);
    }

    @Test
    void aTruncatedAnswerIsRepeatedOverTcp() throws Exception {
        dns.mood(Mood.TRUNCATED)
                .addresses(
                        NAME,
                        IntStream.range(0, 500)
                                .mapToObj(i -> "10.0." + i / 250 + "." + i % 250)
                                .toArray(String[]::new));

        assertThat(addresses().servers(LONG)).hasSize(500);
    }

    @Test
    void theNextNameServerIsQueriedIfOneFailsOrIsSilent() throws Exception {
        try (ScriptedDns failing = ScriptedDns.start().mood(Mood.SERVFAIL)) {
            dns.addresses(NAME, "10.0.0.1").mood(Mood.SILENT_ONCE);
            DnsSource source = DnsSource.addresses(NAME, 11211).withNameServers(dns.address(), failing.address());

            assertThat(source.servers(Duration.ofSeconds(18))).hasSize(1);
            assertThat(failing.questions()).isNotEmpty();
        }
    }

    @Test
    void anInterruptEndsTheLookup() {
        dns.mood(Mood.SILENT);
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> addresses().servers(LONG));
    }

    @Test
    void illegalNamesAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DnsSource.addresses("10.0.0.1", 11211))
                .withMessageContainingAll(
                        "\"10.0.0.1\"", "set only a name, such as memcached.default.svc.cluster.local");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DnsSource.services(NAME + ":11211"))
                .withMessageContainingAll(
                        ":11211", "such as _memcached._tcp.example.com; SRV records contain the ports");
        assertThatIllegalArgumentException().isThrownBy(() -> DnsSource.addresses(NAME, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> DnsSource.services(" "));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> services().withNameServers(InetSocketAddress.createUnresolved("ns", 53)))
                .withMessageContaining("10.96.0.10:53");
        assertThatIllegalArgumentException().isThrownBy(() -> services().withNameServers());
        assertThatIllegalStateException()
                .isThrownBy(() -> addresses().withHostNames())
                .withMessageContaining("create the source by DnsSource.services(name)");
    }

    /** In a class loader with everything but the resolver. */
    @ParameterizedTest
    @ValueSource(strings = {"netty-resolver-dns", "netty-codec-dns"})
    void nettysResolverIsNamedWhereItIsMissing(String missing) throws Exception {
        List<URL> path = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!entry.contains(missing)) {
                path.add(Path.of(entry).toUri().toURL());
            }
        }
        try (URLClassLoader loader = new URLClassLoader(path.toArray(URL[]::new), null)) {
            Class<?> source = loader.loadClass(DnsSource.class.getName());
            assertThatExceptionOfType(InvocationTargetException.class)
                    .isThrownBy(() -> source.getMethod("services", String.class).invoke(null, SERVICE))
                    .havingCause()
                    .isInstanceOf(IllegalStateException.class)
                    .withMessageContaining("add io.netty:netty-resolver-dns");
        }
    }

    @Test
    void aSourceNamesItsQuery() {
        assertThat(addresses()).hasToString("DNS " + NAME + ":11211");
        assertThat(services()).hasToString("DNS services " + SERVICE);
        assertThat(services().period()).isEqualTo(Duration.ofSeconds(30));
    }
}
