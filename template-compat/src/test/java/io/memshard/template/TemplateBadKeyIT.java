// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedIllegalKeyException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.load.ValueLoader;
import io.memshard.client.multi.MultiDeleteResult;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiSetResult;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.fault.AllHits;
import io.memshard.testkit.fault.BadKeys;
import io.memshard.testkit.fault.KeyedCall;
import io.memshard.testkit.fault.ScriptedServer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each text that is no key is refused by each operation of a template, before a byte of it is sent. An operation on
 * many keys has it among its failures, and serves the other key.
 */
@Timeout(60)
class TemplateBadKeyIT {

    private static final String SENT = "mg bWVtc2hhcmQ6cHJvYmU= b v O1|mn|version|value|(mg|ms|md|get|set|delete) "
            + KeyedCall.OTHER_KEY + "( [\\w. ]+)?";

    private static final ValueLoader<String, Object> LOADER = key -> {
        throw new AssertionError("the loader was called");
    };

    /** The client's own tests take all keys. */
    private static final Map<String, String> SOME_OF_EACH_KIND = someOfEachKind();

    private static Map<String, String> someOfEachKind() {
        Map<String, String> some = new LinkedHashMap<>();
        List<String> names = List.copyOf(BadKeys.byName().keySet());
        for (int i = 0; i < names.size(); i += 19) {
            some.put(names.get(i), BadKeys.byName().get(names.get(i)));
        }
        return some;
    }

    static Stream<Arguments> enginesAndModes() {
        return Arrays.stream(Engine.values())
                .flatMap(engine -> Arrays.stream(Mode.values()).map(mode -> Arguments.of(engine, mode)));
    }

    @ParameterizedTest
    @MethodSource("enginesAndModes")
    void badKeysAreRefusedUnsent(Engine engine, Mode mode) throws Exception {
        ScriptedServer server = ScriptedServer.start().onConnection(c -> c.replyTo(AllHits::replyTo));
        MemcachedConnectionFactoryBuilder builder = MemcachedConnectionFactory.builder()
                .engine(engine)
                .mode(mode)
                .servers(server.host() + ':' + server.port())
                .requestTimeout(Duration.ofSeconds(30))
                .connectTimeout(Duration.ofSeconds(30));
        try (server;
                MemcachedConnectionFactory factory =
                        (mode == Mode.SINGLE ? builder : builder.connectionsPerServer(1)).build()) {
            MemcachedTemplate<String> template = new MemcachedTemplate<>(factory, Transcoder.utf8());
            assertThat(template.version()).isEqualTo("1.6.18");
            refuse(engine, operationsOf(MemcachedTemplate.class), template);
            try (MemcachedConnection connection = factory.getConnection()) {
                refuse(engine, operationsOf(MemcachedClient.class), connection.client(Transcoder.utf8()));
            }
            assertThat(template.version()).isEqualTo("1.6.18");
            for (int i = 0; i < server.connections(); i++) {
                assertThat(server.awaitConnection(i, Duration.ofSeconds(30))
                                .received()
                                .split("\r\n"))
                        .allMatch(line -> line.matches(SENT));
            }
        }
    }

    private static List<KeyedCall> operationsOf(Class<?> api) {
        Function<String, Object> ofMany = key -> {
            throw new AssertionError("the loader was called");
        };
        List<KeyedCall> operations = KeyedCall.of(
                api,
                "value",
                Duration.ofHours(1),
                Instant.now().plusSeconds(3_600),
                1L,
                3,
                Transcoder.utf8(),
                LOADER,
                ofMany,
                LoadOptions.DEFAULTS);
        assertThat(operations).hasSizeGreaterThanOrEqualTo(18);
        // What is bound sends nothing, and has no operation of its own.
        return operations.stream()
                .filter(operation -> !operation.toString().contains("boundValueOps"))
                .toList();
    }

    /** The engine spymemcached has not each operation, and then refuses each key. */
    private static void refuse(Engine engine, List<KeyedCall> operations, Object client) {
        for (KeyedCall operation : operations) {
            Class<?> refusal =
                    operation.takesManyKeys() ? MemcachedIllegalKeyException.class : IllegalArgumentException.class;
            Class<?>[] refusals = engine == Engine.MEMSHARD
                    ? new Class<?>[] {refusal}
                    : new Class<?>[] {refusal, MemcachedUnsupportedException.class};
            SOME_OF_EACH_KIND.forEach((name, key) -> assertThatThrownBy(
                            () -> throwOnlyFailure(operation.call(client, key), key))
                    .as("%s with %s", operation, name)
                    .isInstanceOfAny(refusals));
        }
    }

    /** Throws the failure in the result of an operation on many keys, which is that of this key. */
    private static void throwOnlyFailure(Object result, String key) {
        Map<String, MemcachedException> failures = result instanceof MultiGetResult<?> got
                ? got.failures()
                : result instanceof MultiSetResult set ? set.failures() : ((MultiDeleteResult) result).failures();
        assertThat(failures).containsOnlyKeys(key);
        throw failures.get(key);
    }
}
