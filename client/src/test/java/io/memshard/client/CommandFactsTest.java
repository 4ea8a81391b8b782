// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.connection.TimerlessSender;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.meta.ArithmeticRequest;
import io.memshard.client.meta.DeleteRequest;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.meta.ItemKey;
import io.memshard.client.meta.SetRequest;
import io.memshard.client.operation.Clients;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.Effect;
import io.memshard.client.protocol.ItemCommand;
import io.memshard.client.protocol.ItemsCommand;
import io.memshard.client.protocol.KeysCommand;
import io.memshard.client.protocol.MetaCommand;
import io.memshard.client.protocol.ReadCommand;
import io.memshard.client.protocol.wire.RequestBuffer;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.SendMode;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the command of each operation tells a failure policy of itself. */
class CommandFactsTest {

    private static final Duration TTL = Duration.ofSeconds(90);
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    /** Thrown in place of a reply. */
    private static final class Caught extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private static final Map<String, Consumer<MemcachedClient<String>>> READS = new TreeMap<>(Map.of(
            "get", c -> c.get("k"),
            "gets", c -> c.gets("k"),
            "getAndTouch", c -> c.getAndTouch("k", TTL),
            "multiGet", c -> c.multiGet(List.of("k", "l")),
            "multiGets", c -> c.multiGets(List.of("k", "l")),
            "multiGetAndTouch", c -> c.multiGetAndTouch(List.of("k", "l"), TTL),
            "meta get", c -> c.meta().get(GetRequest.of("k").touch(TTL)),
            "meta debug", c -> c.meta().debug(ItemKey.of("k"))));

    private static final Map<String, Consumer<MemcachedClient<String>>> CLAIMS = Map.of(
            "vivify", c -> c.meta().get(GetRequest.of("k").vivify(TTL)),
            "recacheBelow", c -> c.meta().get(GetRequest.of("k").recacheBelow(TTL)));

    private static final Map<String, Consumer<MemcachedClient<String>>> WRITES = writes();

    private static Map<String, Consumer<MemcachedClient<String>>> writes() {
        Map<String, Consumer<MemcachedClient<String>>> writes = new TreeMap<>();
        writes.put("set", c -> c.set("k", "v", TTL));
        writes.put("add", c -> c.add("k", "v", TTL));
        writes.put("replace", c -> c.replace("k", "v", TTL));
        writes.put("append", c -> c.append("k", "v"));
        writes.put("prepend", c -> c.prepend("k", "v"));
        writes.put("cas", c -> c.cas("k", "v", 7, TTL));
        writes.put("delete", c -> c.delete("k"));
        writes.put("incr", c -> c.incr("k", 5));
        writes.put("incr initial", c -> c.incr("k", 5, 6, TTL));
        writes.put("decr", c -> c.decr("k", 5));
        writes.put("decr initial", c -> c.decr("k", 5, 6, TTL));
        writes.put("touch", c -> c.touch("k", TTL));
        writes.put("version", c -> c.version());
        writes.put("multiSet", c -> c.multiSet(new TreeMap<>(Map.of("k", "v", "l", "w")), TTL));
        writes.put("multiDelete", c -> c.multiDelete(List.of("k", "l")));
        writes.put("meta set", c -> c.meta().set(SetRequest.of("k", "v").ttl(TTL)));
        writes.put("meta delete", c -> c.meta().delete(DeleteRequest.of("k")));
        writes.put("meta arithmetic", c -> c.meta().arithmetic(ArithmeticRequest.of("k")));
        writes.put("meta noop", c -> c.meta().noop());
        return writes;
    }

    private static Command<?> commandOf(Consumer<MemcachedClient<String>> operation) {
        AtomicReference<Command<?>> sent = new AtomicReference<>();
        CommandSender catching = new TimerlessSender() {
            @Override
            public <T> Reply<T> send(Command<T> command, SendMode mode) {
                if (command.verb().equals("mg") && command.operation().matches("append|prepend")) {
                    throw new MemcachedUnsupportedException("the read before it");
                }
                sent.set(command);
                throw new Caught();
            }
        };
        try {
            operation.accept(Clients.blocking(catching, Transcoder.utf8(), 100, TIMEOUT));
        } catch (Caught e) {
            // As intended.
        }
        return sent.get();
    }

    private static ReadCommand<?> read(Command<?> command) {
        return Objects.requireNonNull(command.asRead(), "no read");
    }

    private static boolean isRepeatable(Command<?> command) {
        ReadCommand<?> read = command.asRead();
        return read != null && read.isRepeatable();
    }

    /** The command of an operation on one item. */
    private static ItemCommand<?> item(Command<?> command) {
        return (ItemCommand<?>) Objects.requireNonNull(command.asItems(), "no items");
    }

    private static String encoded(Command<?> command) {
        RequestBuffer out = new RequestBuffer();
        command.encode(out, 3);
        return new String(out.drain(), UTF_8);
    }

    static Stream<Consumer<MemcachedClient<String>>> operations() {
        return Stream.of(READS, CLAIMS, WRITES).flatMap(all -> all.values().stream());
    }

    @ParameterizedTest
    @MethodSource("operations")
    void secondAttemptAsksForTheSame(Consumer<MemcachedClient<String>> operation) {
        Command<?> command = commandOf(operation);
        Command<?> again = Objects.requireNonNull(command.again());
        assertThat(again).isNotSameAs(command);
        assertThat(encoded(again)).isEqualTo(encoded(command));
        assertThat(isRepeatable(again)).isEqualTo(isRepeatable(command));
        assertThat(again.asRead() == null).isEqualTo(command.asRead() == null);
    }

    @Test
    void readsCanBeRepeatedAndMissed() {
        READS.forEach((name, operation) -> {
            Command<?> command = commandOf(operation);
            assertThat(isRepeatable(command)).as(name).isTrue();
            read(command).miss();
        });
    }

    @Test
    void claimsCanBeMissedButNotRepeated() {
        CLAIMS.forEach((name, operation) -> {
            Command<?> command = commandOf(operation);
            assertThat(isRepeatable(command)).as(name).isFalse();
            assertThat(read(command).miss()).as(name).isNull();
        });
    }

    @Test
    void claimOfALoaderCanBeRepeated() {
        Command<?> command = commandOf(client -> client.getOrLoad("k", TTL, key -> "v"));
        assertThat(encoded(command)).contains(" N5 ");
        assertThat(isRepeatable(command)).isTrue();
        assertThat(isRepeatable(Objects.requireNonNull(command.again()))).isTrue();
        assertThat(read(command).miss()).isNull();
    }

    @Test
    void writesCanBeNeitherRepeatedNorMissed() {
        WRITES.forEach((name, operation) -> {
            Command<?> command = commandOf(operation);
            assertThat(command.asRead()).as(name).isNull();
        });
    }

    @Test
    void effectsAreThoseOfTheOperations() {
        Map<String, Effect> effects = new TreeMap<>();
        Set<String> others = new TreeSet<>();
        Stream.of(READS, CLAIMS, WRITES)
                .forEach(all -> all.forEach((name, operation) -> {
                    ItemsCommand<?> items = commandOf(operation).asItems();
                    if (items == null) {
                        others.add(name);
                    } else {
                        effects.put(name, items.effect());
                    }
                }));
        effects.put(
                "getOrLoad",
                item(commandOf(c -> c.getOrLoad("k", TTL, key -> "v"))).effect());
        effects.put("invalidate", item(commandOf(c -> c.invalidate("k", TTL))).effect());
        effects.put(
                "meta cas",
                item(commandOf(c -> c.meta().set(SetRequest.of("k", "v").ifCas(7))))
                        .effect());
        effects.put(
                "meta add",
                item(commandOf(c -> c.meta().set(SetRequest.of("k", "v").adding())))
                        .effect());
        effects.put(
                "meta append",
                item(commandOf(c -> c.meta().set(SetRequest.of("k", "v").appending())))
                        .effect());
        effects.put(
                "meta delete cas",
                item(commandOf(c -> c.meta().delete(DeleteRequest.of("k").ifCas(7))))
                        .effect());
        effects.put(
                "meta gets",
                item(commandOf(c -> c.meta().get(GetRequest.of("k").returning(ItemField.CAS))))
                        .effect());

        Map<String, Effect> expected = new TreeMap<>();
        for (String name : List.of("get", "multiGet")) {
            expected.put(name, Effect.READ);
        }
        for (String name : List.of("gets", "multiGets", "meta gets")) {
            expected.put(name, Effect.READ_CAS);
        }
        for (String name : List.of("getAndTouch", "multiGetAndTouch", "meta get")) {
            expected.put(name, Effect.READ_AND_TOUCH);
        }
        for (String name : List.of("vivify", "recacheBelow", "getOrLoad")) {
            expected.put(name, Effect.CLAIM);
        }
        for (String name : List.of("set", "multiSet", "meta set")) {
            expected.put(name, Effect.STORE);
        }
        for (String name : List.of("add", "replace", "meta add")) {
            expected.put(name, Effect.STORE_IF);
        }
        for (String name : List.of("append", "prepend", "meta append")) {
            expected.put(name, Effect.CHANGE);
        }
        for (String name : List.of("cas", "meta cas", "meta delete cas")) {
            expected.put(name, Effect.CAS);
        }
        for (String name : List.of("delete", "multiDelete", "meta delete")) {
            expected.put(name, Effect.DELETE);
        }
        for (String name : List.of("incr", "incr initial", "decr", "decr initial", "meta arithmetic")) {
            expected.put(name, Effect.COUNT);
        }
        assertThat(others).containsExactly("meta debug", "meta noop", "version");
        expected.put("touch", Effect.TOUCH);
        expected.put("invalidate", Effect.INVALIDATE);
        assertThat(effects).isEqualTo(expected);
    }

    @Test
    void whatALoaderStoresFillsItsClaim() {
        SetRequest<String> filling = SetRequest.of("k", "v").ifCas(7);
        assertThat(item(commandOf(c -> c.meta().set(filling))).effect()).isEqualTo(Effect.CAS);
        MetaCommand<?> part = ((MetaCommand<?>) commandOf(c -> c.meta().set(filling))).of("getOrLoad");
        assertThat(part.effect()).isEqualTo(Effect.FILL);
    }

    @ParameterizedTest
    @MethodSource("operations")
    void rawCommandAsksForTheSame(Consumer<MemcachedClient<String>> operation) {
        Command<?> command = commandOf(operation);
        if (command.asItems() instanceof ItemCommand<?> item) {
            assertThat(encoded(item.raw())).isEqualTo(encoded(command));
        }
    }

    @Test
    void touchOfACommandThatReadsTooAsksForNoValue() {
        assertThat(encoded(item(commandOf(READS.get("getAndTouch"))).touchOnly()))
                .isEqualTo("mg k T90 O3\r\n");
        assertThat(encoded(item(commandOf(READS.get("meta get"))).touchOnly())).isEqualTo("mg k T90 O3\r\n");
    }

    @Test
    void plainReadOfALoadClaimsNothing() {
        ItemCommand<?> load = item(commandOf(c -> c.getOrLoad("k", TTL, key -> "v")));
        assertThat(encoded(Objects.requireNonNull(load.plainRead()))).isEqualTo("mg k v f O3\r\n");
        assertThat(item(commandOf(CLAIMS.get("vivify"))).plainRead()).isNull();
        assertThat(item(commandOf(READS.get("get"))).plainRead()).isNull();
    }

    @Test
    void commandsOnManyKeysNameThem() {
        for (Consumer<MemcachedClient<String>> many :
                List.of(READS.get("multiGet"), WRITES.get("multiSet"), WRITES.get("multiDelete"))) {
            KeysCommand<?> command = (KeysCommand<?>) commandOf(many).asItems();
            assertThat(command.keys()).containsExactly("k", "l");
        }
    }
}
