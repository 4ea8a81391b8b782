// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import static io.memshard.client.PatientOptions.LONG;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.memshard.client.chunked.ChunkedClient;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The exact texts that a caller reads who has made a mistake. */
@SuppressWarnings({"NullAway", "DataFlowIssue"}) // Callers without such a check are whom these are for.
@ParameterizedClass
@EnumSource
class MessagesIT {

    private static final Duration TTL = Duration.ofMinutes(1);

    private static EmbeddedMemcached server;
    private static ConnectionGroup group;
    private static ConnectionGroup classicGroup;

    @BeforeAll
    static void start() {
        server = EmbeddedMemcached.start();
        group = new ConnectionGroup(PatientOptions.create(), 1);
        classicGroup = new ConnectionGroup(PatientOptions.with(Protocol.CLASSIC), 1);
    }

    @AfterAll
    static void close() {
        classicGroup.close();
        group.close();
        server.close();
    }

    @Parameter
    private ClientVariant.Calls calls;

    private <V> MemcachedClient<V> client(ConnectionGroup connections, Transcoder<V> transcoder) {
        ServerAddress address = new ServerAddress(server.host(), server.port());
        return calls.client(connections.newConnection(address, 0, Transport.CALLER_DRIVEN), transcoder, 1024, LONG);
    }

    private static Arguments call(String message, Consumer<MemcachedClient<String>> call) {
        return arguments(message, call);
    }

    static Stream<Arguments> nulls() {
        String noValue = "value is null: to remove the item, use delete";
        List<String> nullKey = Collections.singletonList(null);
        return Stream.of(
                call(noValue, client -> client.set("k", null, TTL)),
                call(noValue, client -> client.add("k", null, TTL)),
                call(noValue, client -> client.replace("k", null, TTL)),
                call(noValue, client -> client.append("k", null)),
                call(noValue, client -> client.prepend("k", null)),
                call(noValue, client -> client.cas("k", null, 1, TTL)),
                call(noValue, client -> client.multiSet(Collections.singletonMap("k", null), TTL)),
                call(
                        noValue,
                        client -> ChunkedClient.over(
                                        client.withTranscoder(Transcoder.bytes()), Transcoder.utf8(), 512, 4096)
                                .set("k", null, TTL)),
                call("key is null", client -> client.get(null)),
                call("key is null", client -> client.gets(null)),
                call("key is null", client -> client.getAndTouch(null, TTL)),
                call("key is null", client -> client.touch(null, TTL)),
                call("key is null", client -> client.set(null, "v", TTL)),
                call("key is null", client -> client.cas(null, "v", 1, TTL)),
                call("key is null", client -> client.delete(null)),
                call("key is null", client -> client.incr(null, 1)),
                call("key is null", client -> client.decr(null, 1, 1, TTL)),
                call("key is null", client -> client.multiGet(nullKey)),
                call("key is null", client -> client.multiGets(nullKey)),
                call("key is null", client -> client.multiGetAndTouch(nullKey, TTL)),
                call("key is null", client -> client.multiDelete(nullKey)),
                call("key is null", client -> client.multiGetOrLoad(nullKey, TTL, keys -> Map.of())),
                call("key is null", client -> client.multiSet(Collections.singletonMap(null, "v"), TTL)),
                call("key is null", client -> client.getOrLoad(null, TTL, key -> "v")),
                call("key is null", client -> client.meta().debug((String) null)),
                call("keys is null", client -> client.multiGet(null)),
                call("keys is null", client -> client.multiGets(null)),
                call("keys is null", client -> client.multiGetAndTouch(null, TTL)),
                call("keys is null", client -> client.multiDelete(null)),
                call("keys is null", client -> client.multiGetOrLoad(null, TTL, keys -> Map.of())),
                call("values is null", client -> client.multiSet(null, TTL)),
                call("ttl is null", client -> client.set("k", "v", (Duration) null)),
                call("ttl is null", client -> client.touch("k", (Duration) null)),
                call("ttl is null", client -> client.multiSet(Map.of("k", "v"), (Duration) null)),
                call("ttl is null", client -> client.getOrLoad("k", (Duration) null, key -> "v")),
                call("loader is null", client -> client.getOrLoad("k", TTL, null)),
                call("ttl is null", client -> KeyedClient.over(client, null)),
                call("loader is null", client -> KeyedClient.over(client, TTL).getOrLoad("k", null)),
                call("texts is null", client -> KeyedClient.over(client, TTL).withKeys(null)),
                call("options is null", client -> client.getOrLoad("k", TTL, key -> "v", (LoadOptions) null)),
                call("claimTtl is null", client -> LoadOptions.DEFAULTS.withClaimTtl(null)),
                call("maxWait is null", client -> LoadOptions.DEFAULTS.withMaxWait(null)),
                call("group is null", client -> Clients.admin(Map.of(), LONG).stats(null)),
                call("request is null", client -> client.meta().get(null)),
                call("request is null", client -> client.meta().set(null)),
                call("request is null", client -> client.meta().delete(null)),
                call("request is null", client -> client.meta().arithmetic(null)),
                call("transcoder is null", client -> client.withTranscoder(null)),
                call("timeout is null", client -> client.withTimeout(null)),
                call("policy is null", client -> client.withFailurePolicy(null)),
                call("key is null", client -> GetRequest.of((byte[]) null)),
                call("key is null", client -> GetRequest.of((String) null)));
    }

    @ParameterizedTest
    @MethodSource("nulls")
    void nullIsNamed(String message, Consumer<MemcachedClient<String>> call) {
        assertThatThrownBy(() -> call.accept(client(group, Transcoder.utf8())))
                .isExactlyInstanceOf(NullPointerException.class)
                .hasMessage(message);
    }

    private static final String SPACE =
            "key has a space (0x20) at position 1 of 3: spaces and control characters are not allowed";

    static Stream<Arguments> illegal() {
        return Stream.of(
                call("key is empty, but must have 1 to 250 bytes", client -> client.get("")),
                call("key has 251 bytes, but must have 1 to 250", client -> client.get("k".repeat(251))),
                call(
                        "key has 0 bytes, but a binary key must have 1 to 186",
                        client -> client.meta().debug(new byte[0])),
                call("key has 187 bytes, but a binary key must have 1 to 186", client -> GetRequest.of(new byte[187])),
                call(
                        "keyPrefix and key have 187 bytes, but a binary key must have 1 to 186",
                        client -> client.withKeyPrefix("p:").meta().debug(new byte[185])),
                call(SPACE, client -> client.get("b c")),
                call(
                        SPACE,
                        client -> client.getOrLoad("b c", TTL, key -> {
                            throw new AssertionError("loads");
                        })));
    }

    @ParameterizedTest
    @MethodSource("illegal")
    void illegalArgumentIsNamed(String message, Consumer<MemcachedClient<String>> call) {
        assertThatThrownBy(() -> call.accept(client(group, Transcoder.utf8())))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    static Stream<Arguments> notClassic() {
        String needs = " needs memcached 1.6.10 or later; a proxy in front of it must support the meta protocol";
        return Stream.of(
                call("getOrLoad" + needs, client -> client.getOrLoad("k", TTL, key -> "v")),
                call("meta.get" + needs, client -> client.meta().get(GetRequest.of("k"))),
                call(
                        "incr and decr cannot create items: call add and omit the initial value",
                        client -> client.incr("k", 1, 1, TTL)));
    }

    @ParameterizedTest
    @MethodSource("notClassic")
    void classicProtocolNamesTheOperationThatItLacks(String message, Consumer<MemcachedClient<String>> call) {
        assertThatThrownBy(() -> call.accept(client(classicGroup, Transcoder.utf8())))
                .isExactlyInstanceOf(MemcachedUnsupportedException.class)
                .hasMessageStartingWith("protocol CLASSIC, which is in use, lacks this function: " + message + ": m");
    }
}
