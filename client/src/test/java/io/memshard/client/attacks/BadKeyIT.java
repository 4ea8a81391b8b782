// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.attacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.chunked.ChunkedClient;
import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionFixture;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedIllegalKeyException;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.load.ValueLoader;
import io.memshard.client.meta.ArithmeticRequest;
import io.memshard.client.meta.DeleteRequest;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.MetaClient;
import io.memshard.client.meta.SetRequest;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiWriteResult;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.fault.ScriptedServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
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

    /** Lines of operations on many keys and of the greeting. */
    private static final String SENT =
            "mn|" + VALUE + '|' + PROBE + "|(mg|ms|md|gets?|set|delete|touch) " + KeyedCall.OTHER_KEY + "( [\\w. ]+)?";

    BadKeyIT(Transport transport, Protocol protocol) {
        super(transport, protocol);
        settings.connectTimeout = NEVER;
        settings.livenessTimeout = NEVER;
        settings.heartbeatInterval = NEVER;
    }

    /** As {@link #replyTo}, but each item has a cas unique. */
    private static String replyWithCas(String line) {
        return switch (line.split(" ")[0]) {
            case "mg" -> replyTo(line).replace(" f0 ", " f0 c1 ");
            case "gets" -> hit(line, "1").replace(" 1\r\n1", " 1 1\r\n1");
            case "touch" -> "TOUCHED\r\n";
            default -> replyTo(line);
        };
    }

    private static List<KeyedCall> operationsOf(Class<?> api) {
        Function<Object, Object> loader = key -> {
            throw new AssertionError("the loader was called");
        };
        ValueLoader<String, Object> blocking = loader::apply;
        return KeyedCall.of(api, VALUE, NEVER, 1L, loader, blocking, LoadOptions.DEFAULTS);
    }

    @Test
    void eachOperationRefusesBadKeysUnsent() {
        assertThat(KEYS).hasSizeGreaterThan(300);
        ScriptedServer server = scriptedServer().onConnection(c -> c.replyTo(BadKeyIT::replyWithCas));
        Connection connection = connect(server);
        MemcachedClient<String> client = Clients.blocking(connection, Transcoder.utf8(), 1024, NEVER);
        Map<Class<?>, Object> clients = Map.of(
                MemcachedClient.class,
                client,
                AsyncMemcachedClient.class,
                Clients.blocking(connection, Transcoder.utf8(), 1024, NEVER).async(),
                ChunkedClient.class,
                ChunkedClient.over(client.withTranscoder(Transcoder.bytes()), Transcoder.utf8()));
        clients.forEach((api, each) -> {
            List<KeyedCall> operations = operationsOf(api);
            assertThat(operations).hasSizeGreaterThanOrEqualTo(10);
            for (int first = 0; first < operations.size(); first++) {
                refuses(operations.get(first), each, first % STRIDE);
            }
        });

        areRefused("debug", key -> client.meta().debug(key));
        refusesBinaryKeys(client.meta());

        assertThat(client.get(KeyedCall.OTHER_KEY)).isEqualTo("value of other");
        assertThat(connection.inFlight()).isZero();
        assertThat(server.connections()).isEqualTo(1);
        assertThat(received(server, 0).split("\r\n")).allMatch(line -> line.matches(SENT));
    }

    private void refuses(KeyedCall operation, Object client, int first) {
        if (!operation.takesManyKeys()) {
            areRefused(operation.toString(), key -> operation.call(client, key));
            return;
        }
        List<String> names = List.copyOf(KEYS.keySet());
        boolean needsMeta = operation.toString().contains("OrLoad") && options().protocol == Protocol.CLASSIC;
        for (int i = first; i < names.size(); i += STRIDE) {
            String key = KEYS.get(names.get(i));
            Object result = operation.call(client, key);
            assertThat(failuresOf(result instanceof CompletableFuture<?> future ? result(future) : result))
                    .as("%s with %s", operation, names.get(i))
                    .hasSize(needsMeta ? 2 : 1)
                    .hasEntrySatisfying(
                            key, failure -> assertThat(failure).isInstanceOf(MemcachedIllegalKeyException.class));
        }
    }

    private static Map<String, MemcachedException> failuresOf(Object result) {
        if (result instanceof MultiGetResult<?> got) {
            return got.failures();
        }
        return ((MultiWriteResult) result).failures();
    }

    private static void areRefused(String operation, Consumer<String> call) {
        KEYS.forEach((name, key) -> assertThatIllegalArgumentException()
                .as("%s with %s", operation, name)
                .isThrownBy(() -> call.accept(key)));
    }

    @Test
    void metaRequestsRefuseBadKeys() {
        Map<String, Consumer<String>> requests = Map.of(
                "get", GetRequest::of,
                "set", key -> SetRequest.of(key, VALUE),
                "delete", DeleteRequest::of,
                "arithmetic", ArithmeticRequest::of);
        requests.forEach(BadKeyIT::areRefused);
    }

    private static void refusesBinaryKeys(MetaClient<String> client) {
        List<Consumer<byte[]>> requests =
                List.of(GetRequest::of, key -> SetRequest.of(key, VALUE), DeleteRequest::of, ArithmeticRequest::of);
        for (int length : new int[] {0, 187, 250, 251, 65_536}) {
            requests.forEach(
                    request -> assertThatIllegalArgumentException().isThrownBy(() -> request.accept(new byte[length])));
            assertThatIllegalArgumentException().isThrownBy(() -> client.debug(new byte[length]));
        }
        requests.forEach(request -> request.accept(new byte[186]));
    }
}
