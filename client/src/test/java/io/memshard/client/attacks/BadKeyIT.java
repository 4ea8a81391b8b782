// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.attacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.chunked.ChunkOptions;
import io.memshard.client.chunked.ChunkedClient;
import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionFixture;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedIllegalKeyException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.load.ValueLoader;
import io.memshard.client.meta.ArithmeticRequest;
import io.memshard.client.meta.DeleteRequest;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemKey;
import io.memshard.client.meta.SetRequest;
import io.memshard.client.multi.MultiDeleteResult;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiSetResult;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.fault.AllHits;
import io.memshard.testkit.fault.BadKeys;
import io.memshard.testkit.fault.KeyedCall;
import io.memshard.testkit.fault.ScriptedServer;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each text that is no key is refused by each operation that takes one, before a byte of it is sent. An operation on
 * many keys has it among its failures, and serves the other key.
 */
@ParameterizedClass
@CsvSource({"EVENT_LOOP, CLASSIC", "CALLER_DRIVEN, META"})
@Timeout(300)
class BadKeyIT extends ConnectionFixture {

    private static final Map<String, String> KEYS = BadKeys.byName();

    /** An operation on many keys, which is sent, takes every n-th of them, each operation others. */
    private static final int STRIDE = 10;

    private static final Duration NEVER = Duration.ofHours(1);
    private static final String VALUE = "value";

    private ScriptedServer server;
    private Connection connection;

    BadKeyIT(Transport transport, Protocol protocol) {
        super(transport, protocol);
        settings.connectTimeout(NEVER).livenessTimeout(NEVER).heartbeatInterval(NEVER);
    }

    @BeforeEach
    void connect() {
        server = scriptedServer().onConnection(c -> c.replyTo(AllHits::replyTo));
        connection = connect(server);
        blocking().get("a");
    }

    private MemcachedClient<String> blocking() {
        return Clients.blocking(connection, Transcoder.utf8(), 1024, NEVER);
    }

    private AsyncMemcachedClient<String> async() {
        return Clients.async(connection, Transcoder.utf8(), 1024, NEVER);
    }

    private static List<KeyedCall> operationsOf(Class<?> api) {
        Function<Object, Object> loader = key -> {
            throw new AssertionError("the loader was called");
        };
        ValueLoader<String, Object> blocking = loader::apply;
        Instant expiry = Instant.now().plusSeconds(3_600);
        return KeyedCall.of(api, VALUE, Duration.ofHours(1), expiry, 1L, 3, loader, blocking, LoadOptions.DEFAULTS);
    }

    @Test
    void blockingClientRefusesThemUnsent() throws Exception {
        assertThat(operationsOf(MemcachedClient.class)).hasSizeGreaterThanOrEqualTo(20);
        eachRefuses(operationsOf(MemcachedClient.class), blocking());
    }

    @Test
    void asynchronousClientRefusesThemUnsent() throws Exception {
        assertThat(operationsOf(AsyncMemcachedClient.class)).hasSizeGreaterThanOrEqualTo(20);
        eachRefuses(operationsOf(AsyncMemcachedClient.class), async());
    }

    @Test
    void chunkedClientRefusesThemUnsent() throws Exception {
        assertThat(operationsOf(ChunkedClient.class)).hasSizeGreaterThanOrEqualTo(20);
        ChunkOptions options = ChunkOptions.DEFAULTS.withChunkBytes(1000).withMaxBytes(100_000);
        ChunkedClient<String> client = ChunkedClient.over(blocking(), Transcoder.utf8(), options);
        List<KeyedCall> operations = operationsOf(ChunkedClient.class);
        eachRefuses(
                operations.stream()
                        .filter(operation -> !isLacking(operation, client))
                        .toList(),
                client);
    }

    /** Whether the client has no such operation, whatever the key is. No other multi-operation is called. */
    private static boolean isLacking(KeyedCall operation, Object client) {
        if (operation.takesManyKeys() && !operation.toString().contains("OrLoad")) {
            return false;
        }
        try {
            operation.call(client, KEYS.values().iterator().next());
            return false;
        } catch (MemcachedUnsupportedException e) {
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    @Test
    void metaRequestsRefuseThem() throws Exception {
        Map<String, Consumer<String>> requests = Map.of(
                "get", GetRequest::of,
                "set", key -> SetRequest.of(key, VALUE),
                "delete", DeleteRequest::of,
                "arithmetic", ArithmeticRequest::of,
                "key", ItemKey::of,
                "text key", key -> new ItemKey(key, false));
        requests.forEach(this::isRefused);
        nothingWasSent();
    }

    /** A key of bytes travels in base64; its limit is that of the base64. */
    @Test
    void binaryKeysRefuseWhatTheyCannotBe() throws Exception {
        for (int length : new int[] {0, ItemKey.MAX_BINARY_BYTES + 1, 250, 251, 65_536}) {
            assertThatThrownBy(() -> ItemKey.binary(new byte[length]))
                    .as("%s bytes", length)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        isRefused("base64", key -> new ItemKey(key, true));
        nothingWasSent();
    }

    /** What is not base64 would be refused by the server, after the request is sent. */
    @Test
    void binaryKeysThatAreNoBase64AreRefused() throws Exception {
        for (String text :
                List.of("YQ", "YQ=", "Y", "YQ===", "=", "====", "Y*==", "YQ==YQ==", "-_-_", "\u00fcb=", "a:b")) {
            assertThatThrownBy(() -> new ItemKey(text, true)).as(text).isInstanceOf(IllegalArgumentException.class);
        }
        String longest = Base64.getEncoder().encodeToString(new byte[ItemKey.MAX_BINARY_BYTES]);
        assertThat(new ItemKey(longest, true).text()).isEqualTo(longest);
        nothingWasSent();
    }

    private void eachRefuses(List<KeyedCall> operations, Object client) throws Exception {
        for (KeyedCall operation : operations) {
            if (!operation.takesManyKeys()) {
                isRefused(operation.toString(), key -> operation.call(client, key));
            }
        }
        nothingWasSent();
        List<String> names = List.copyOf(KEYS.keySet());
        for (int first = 0; first < operations.size(); first++) {
            KeyedCall operation = operations.get(first);
            for (int i = first % STRIDE; operation.takesManyKeys() && i < names.size(); i += STRIDE) {
                isAmongTheFailures(operation, client, names.get(i), KEYS.get(names.get(i)));
            }
        }
        onlyTheOtherKeyWasSent();
    }

    private void isAmongTheFailures(KeyedCall operation, Object client, String name, String key) {
        Object result = operation.call(client, key);
        Map<String, MemcachedException> failures =
                failuresOf(result instanceof CompletableFuture<?> f ? result(f) : result);
        assertThat(failures.get(key))
                .as("%s with %s", operation, name)
                .isInstanceOf(MemcachedIllegalKeyException.class);
        boolean needsMeta = operation.toString().contains("OrLoad") && options().protocol() == Protocol.CLASSIC;
        assertThat(failures).as("%s with %s", operation, name).hasSize(needsMeta ? 2 : 1);
    }

    private static Map<String, MemcachedException> failuresOf(Object result) {
        if (result instanceof MultiGetResult<?> got) {
            return got.failures();
        }
        return result instanceof MultiSetResult set ? set.failures() : ((MultiDeleteResult) result).failures();
    }

    private void isRefused(String operation, Consumer<String> call) {
        assertThat(KEYS).hasSizeGreaterThan(300);
        Map<String, Object> accepted = new LinkedHashMap<>();
        KEYS.forEach((name, key) -> {
            try {
                call.accept(key);
                accepted.put(name, "no failure");
            } catch (IllegalArgumentException e) {
                // As it should.
            } catch (RuntimeException e) {
                accepted.put(name, e);
            }
        });
        assertThat(accepted).as(operation).isEmpty();
    }

    /** The one connection got the greeting and two gets of the test, one before the attack and one after it. */
    private void nothingWasSent() throws Exception {
        assertThat(received())
                .hasSize(3)
                .satisfies(lines -> assertThat(lines[1]).startsWith(getVerb() + " a"))
                .satisfies(lines -> assertThat(lines[2]).startsWith(getVerb() + " a"));
    }

    private void onlyTheOtherKeyWasSent() throws Exception {
        String commands = "(mg|ms|md|gets?|set|delete|touch) (a|" + KeyedCall.OTHER_KEY + ")( [\\w. ]+)?";
        assertThat(received()).allMatch(line -> line.matches("mn|" + VALUE + '|' + PROBE + '|' + commands));
    }

    /** What the one connection got, and a get after it. */
    private String[] received() throws Exception {
        blocking().get("a");
        assertThat(server.connections()).isEqualTo(1);
        assertThat(connection.inFlight()).isZero();
        return server.awaitConnection(0, LONG).received().split("\r\n");
    }
}
