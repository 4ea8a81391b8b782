// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.Memshard;
import io.memshard.client.MemcachedClient;
import io.memshard.client.TimeToLive;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import io.memshard.testkit.TwemproxyProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Other clients write through their own rings to several memcacheds, and we read each key from the server
 * that our ring names; and the other way round.
 *
 * <p>A client that is not installed is skipped.
 */
@NeedsProgram(Program.MEMCACHED)
@Timeout(180)
class OtherClientsIT {

    private static final int SERVERS = 5;
    private static final int KEYS = 300;
    private static final int NOT_INSTALLED = 77;

    private static final String PYTHON = """
        import sys
        count, addresses = int(sys.argv[1]), sys.argv[2:]
        try:
            %s
        except ImportError:
            sys.exit(77)
        for i in range(count):
            assert client.set(f"theirs-{i}", f"value {i}".encode())
        print(sum(client.get(f"ours-{i}") in (f"value {i}", f"value {i}".encode()) for i in range(count)))
        """;

    private static final List<MemcachedServer> PROCESSES = new ArrayList<>();
    private static final List<Server> FLEET = new ArrayList<>();
    private static final List<Memshard> MEMSHARDS = new ArrayList<>();
    private static final List<MemcachedClient<String>> CLIENTS = new ArrayList<>();

    @BeforeAll
    static void start() {
        for (int i = 0; i < SERVERS; i++) {
            MemcachedProcess process = MemcachedProcess.start();
            PROCESSES.add(process);
            FLEET.add(Server.of(new ServerAddress(process.host(), process.port())));
            CLIENTS.add(client(process));
        }
    }

    private static MemcachedClient<String> client(MemcachedServer server) {
        Memshard memshard = Memshard.builder()
                .servers(server.host() + ':' + server.port())
                .requestTimeout(Duration.ofSeconds(60))
                .connectTimeout(Duration.ofSeconds(60))
                .build();
        MEMSHARDS.add(memshard);
        return memshard.client(Transcoder.utf8());
    }

    @AfterAll
    static void stop() {
        MEMSHARDS.forEach(Memshard::close);
        PROCESSES.forEach(MemcachedServer::close);
    }

    @NeedsProgram(Program.NUTCRACKER)
    @Test
    void twemproxyFindsOursAndWeFindIts() {
        Ring ring = Ring.twemproxy(KeyHash.MD5);
        setOurs(ring);
        try (TwemproxyProcess proxy = TwemproxyProcess.start(PROCESSES.toArray(MemcachedServer[]::new))) {
            MemcachedClient<String> throughProxy = client(proxy);
            for (int i = 0; i < KEYS; i++) {
                assertThat(throughProxy.get("ours-" + i)).isEqualTo("value " + i);
                throughProxy.set("theirs-" + i, "value " + i, TimeToLive.NEVER);
            }
        }
        assertTheirsAreWhereOurRingSays(ring);
    }

    @ParameterizedTest
    @CsvSource({
        "libmemcached, ''",
        "libmemcached-ketama, ', behaviors={\"ketama\": True}'",
        "libmemcached-weighted, ', behaviors={\"ketama_weighted\": True}'",
    })
    void pylibmcFindsOursAndWeFindIts(String ring, String behaviors) throws Exception {
        assertSame(
                Ring.named(ring),
                "pylibmc",
                "python3-pylibmc",
                python("import pylibmc; client = pylibmc.Client(addresses" + behaviors + ")"));
    }

    @Test
    void pymemcacheFindsOursAndWeFindIts() throws Exception {
        assertSame(
                Ring.pymemcache(),
                "pymemcache",
                "python3-pymemcache",
                python("from pymemcache.client.hash import HashClient; client = HashClient(addresses,"
                        + " default_noreply=False)"));
    }

    @Test
    void dalliFindsOursAndWeFindIts() throws Exception {
        assertSame(Ring.dalli(), "dalli", "ruby-dalli", List.of(List.of("ruby", "-e", """
            begin
              require 'dalli'
            rescue LoadError
              exit 77
            end
            count = ARGV.shift.to_i
            client = Dalli::Client.new(ARGV)
            count.times { |i| client.set("theirs-#{i}", "value #{i}", nil, raw: true) }
            puts((0...count).count { |i| client.get("ours-#{i}", raw: true) == "value #{i}" })
            """)));
    }

    /** The ways to start Python, of which the first with the client is taken. */
    private static List<List<String>> python(String client) {
        String script = PYTHON.formatted(client);
        return List.of(List.of("python3", "-c", script), List.of("/usr/bin/python3", "-c", script));
    }

    private static void assertSame(Ring ring, String client, String packageName, List<List<String>> commands)
            throws Exception {
        setOurs(ring);
        Outcome outcome = new Outcome(NOT_INSTALLED, "");
        for (List<String> command : commands) {
            if (outcome.status() == NOT_INSTALLED) {
                outcome = run(Stream.concat(
                                command.stream(),
                                Stream.concat(
                                        Stream.of(String.valueOf(KEYS)),
                                        FLEET.stream()
                                                .map(server -> server.address().toString())))
                        .toList());
            }
        }
        if (outcome.status() == NOT_INSTALLED) {
            throw Program.skip(client + ", install the package " + packageName);
        }
        assertThat(outcome).isEqualTo(new Outcome(0, String.valueOf(KEYS)));
        assertTheirsAreWhereOurRingSays(ring);
    }

    private static void setOurs(Ring ring) {
        ServerLocator locator = ring.locator(FLEET);
        for (MemcachedClient<String> client : CLIENTS) {
            for (int i = 0; i < KEYS; i++) {
                client.delete("ours-" + i);
                client.delete("theirs-" + i);
            }
        }
        for (int i = 0; i < KEYS; i++) {
            String key = "ours-" + i;
            CLIENTS.get(locator.locate(key)).set(key, "value " + i, TimeToLive.NEVER);
        }
    }

    private static void assertTheirsAreWhereOurRingSays(Ring ring) {
        ServerLocator locator = ring.locator(FLEET);
        for (int i = 0; i < KEYS; i++) {
            String key = "theirs-" + i;
            assertThat(CLIENTS.get(locator.locate(key)).get(key)).as(key).isEqualTo("value " + i);
        }
    }

    /** How a program ended, and the last line that it wrote. */
    private record Outcome(int status, String lastLine) {}

    private static Outcome run(List<String> command) throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            return new Outcome(NOT_INSTALLED, String.valueOf(e.getMessage()));
        }
        try {
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
            assertThat(process.waitFor(60, TimeUnit.SECONDS))
                    .as("end of %s", command.get(0))
                    .isTrue();
            return new Outcome(process.exitValue(), output.substring(output.lastIndexOf('\n') + 1));
        } finally {
            process.destroyForcibly();
        }
    }
}
