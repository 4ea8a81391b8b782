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
import io.memshard.client.meta.SetRequest;
import io.memshard.client.operation.Clients;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.Effect;
import io.memshard.client.protocol.ItemCommand;
import io.memshard.client.protocol.ItemsCommand;
import io.memshard.client.protocol.KeysCommand;
import io.memshard.client.protocol.MetaCommand;
import io.memshard.client.protocol.MetaReply;
import io.memshard.client.protocol.ReadCommand;
import io.memshard.client.protocol.wire.MetaFlags;
import io.memshard.client.protocol.wire.RequestBuffer;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.SendMode;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
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

    /** What a failure policy may do with a command. */
    enum Kind {
        READ,
        CLAIM,
        WRITE
    }

    /**
     * An operation.
     *
     * @param name with what is special about it after a space
     * @param effect null where the command has no item
     */
    record Operation(String name, Kind kind, @Nullable Effect effect, Consumer<MemcachedClient<String>> call) {

        Command<?> command() {
            return commandOf(call);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static Operation read(String name, @Nullable Effect effect, Consumer<MemcachedClient<String>> call) {
        return new Operation(name, Kind.READ, effect, call);
    }

    private static Operation claim(String name, Consumer<MemcachedClient<String>> call) {
        return new Operation(name, Kind.CLAIM, Effect.CLAIM, call);
    }

    private static Operation write(String name, @Nullable Effect effect, Consumer<MemcachedClient<String>> call) {
        return new Operation(name, Kind.WRITE, effect, call);
    }

    static List<Operation> operations() {
        return List.of(
                read("get", Effect.READ, c -> c.get("k")),
                read("gets", Effect.READ_CAS, c -> c.gets("k")),
                read("getAndTouch", Effect.READ_AND_TOUCH, c -> c.getAndTouch("k", TTL)),
                read("multiGet", Effect.READ, c -> c.multiGet(List.of("k", "l"))),
                read("multiGets", Effect.READ_CAS, c -> c.multiGets(List.of("k", "l"))),
                read("multiGetAndTouch", Effect.READ_AND_TOUCH, c -> c.multiGetAndTouch(List.of("k", "l"), TTL)),
                read(
                        "meta.get",
                        Effect.READ_AND_TOUCH,
                        c -> c.meta().get(GetRequest.of("k").touch(TTL))),
                read(
                        "meta.get cas",
                        Effect.READ_CAS,
                        c -> c.meta().get(GetRequest.of("k").returning(ItemField.CAS))),
                read("meta.debug", null, c -> c.meta().debug("k")),
                claim("meta.get vivify", c -> c.meta().get(GetRequest.of("k").vivify(TTL))),
                claim(
                        "meta.get recacheBelow",
                        c -> c.meta().get(GetRequest.of("k").recacheBelow(TTL))),
                write("set", Effect.STORE, c -> c.set("k", "v", TTL)),
                write("multiSet", Effect.STORE, c -> c.multiSet(new TreeMap<>(Map.of("k", "v", "l", "w")), TTL)),
                write(
                        "meta.set",
                        Effect.STORE,
                        c -> c.meta().set(SetRequest.of("k", "v").ttl(TTL))),
                write("add", Effect.STORE_IF, c -> c.add("k", "v", TTL)),
                write("replace", Effect.STORE_IF, c -> c.replace("k", "v", TTL)),
                write(
                        "meta.set adding",
                        Effect.STORE_IF,
                        c -> c.meta().set(SetRequest.of("k", "v").adding())),
                write("append", Effect.CHANGE, c -> c.append("k", "v")),
                write("prepend", Effect.CHANGE, c -> c.prepend("k", "v")),
                write(
                        "meta.set appending",
                        Effect.CHANGE,
                        c -> c.meta().set(SetRequest.of("k", "v").appending())),
                write("cas", Effect.CAS, c -> c.cas("k", "v", 7, TTL)),
                write(
                        "meta.set cas",
                        Effect.CAS,
                        c -> c.meta().set(SetRequest.of("k", "v").ifCas(7))),
                write(
                        "meta.delete cas",
                        Effect.CAS,
                        c -> c.meta().delete(DeleteRequest.of("k").ifCas(7))),
                write("delete", Effect.DELETE, c -> c.delete("k")),
                write("multiDelete", Effect.DELETE, c -> c.multiDelete(List.of("k", "l"))),
                write("meta.delete", Effect.DELETE, c -> c.meta().delete(DeleteRequest.of("k"))),
                write("invalidate", Effect.INVALIDATE, c -> c.invalidate("k", TTL)),
                write("incr", Effect.COUNT, c -> c.incr("k", 5)),
                write("incr initial", Effect.COUNT, c -> c.incr("k", 5, 6, TTL)),
                write("decr", Effect.COUNT, c -> c.decr("k", 5)),
                write("decr initial", Effect.COUNT, c -> c.decr("k", 5, 6, TTL)),
                write("meta.arithmetic", Effect.COUNT, c -> c.meta().arithmetic(ArithmeticRequest.of("k"))),
                write("touch", Effect.TOUCH, c -> c.touch("k", TTL)),
                write("version", null, c -> c.version()),
                write("meta.noop", null, c -> c.meta().noop()));
    }

    private static Command<?> commandOf(String name) {
        return operations().stream()
                .filter(each -> each.name.equals(name))
                .findFirst()
                .orElseThrow()
                .command();
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

    @ParameterizedTest
    @MethodSource("operations")
    void secondAttemptRequestsTheSame(Operation operation) {
        Command<?> command = operation.command();
        Command<?> again = Objects.requireNonNull(command.again());
        assertThat(again).isNotSameAs(command);
        assertThat(encoded(again)).isEqualTo(encoded(command));
        assertThat(isRepeatable(again)).isEqualTo(isRepeatable(command));
        assertThat(again.asRead() == null).isEqualTo(command.asRead() == null);
    }

    @ParameterizedTest
    @MethodSource("operations")
    void readsCanBeRepeatedAndMissedClaimsMissedAndWritesNeither(Operation operation) {
        Command<?> command = operation.command();
        assertThat(isRepeatable(command)).isEqualTo(operation.kind == Kind.READ);
        switch (operation.kind) {
            case READ -> read(command).miss();
            case CLAIM -> assertThat(read(command).miss()).isNull();
            case WRITE -> assertThat(command.asRead()).isNull();
        }
    }

    @Test
    void claimOfALoaderCanBeRepeated() {
        Command<?> command = commandOf(client -> client.getOrLoad("k", TTL, key -> "v"));
        assertThat(encoded(command)).contains(" N5 ");
        assertThat(item(command).effect()).isEqualTo(Effect.CLAIM);
        assertThat(isRepeatable(command)).isTrue();
        assertThat(isRepeatable(Objects.requireNonNull(command.again()))).isTrue();
        assertThat(read(command).miss()).isNull();
    }

    @ParameterizedTest
    @MethodSource("operations")
    void effectsMatchTheOperations(Operation operation) {
        ItemsCommand<?> items = operation.command().asItems();
        assertThat(items == null ? null : items.effect()).isEqualTo(operation.effect);
    }

    @Test
    void storeOfALoaderFillsItsClaim() {
        SetRequest<String> filling = SetRequest.of("k", "v").ifCas(7);
        assertThat(item(commandOf(c -> c.meta().set(filling))).effect()).isEqualTo(Effect.CAS);
        MetaFlags flags = MetaFlags.NONE.with('C', 7);
        MetaCommand<?> part =
                new MetaCommand<>(MetaCommand.Verb.SET, "getOrLoad", "k", flags, new byte[1], MetaReply::status);
        assertThat(part.effect()).isEqualTo(Effect.FILL);
    }

    @ParameterizedTest
    @MethodSource("operations")
    void rawCommandRequestsTheSame(Operation operation) {
        Command<?> command = operation.command();
        if (command.asItems() instanceof ItemCommand<?> item) {
            assertThat(encoded(item.raw())).isEqualTo(encoded(command));
        }
    }

    @Test
    void touchPartOfAReadRequestsNoValue() {
        assertThat(encoded(item(commandOf("getAndTouch")).touchOnly())).isEqualTo("mg k T90 O3\r\n");
        assertThat(encoded(item(commandOf("meta.get")).touchOnly())).isEqualTo("mg k T90 O3\r\n");
    }

    @Test
    void plainReadOfALoadClaimsNothing() {
        ItemCommand<?> load = item(commandOf(c -> c.getOrLoad("k", TTL, key -> "v")));
        assertThat(encoded(Objects.requireNonNull(load.plainRead()))).isEqualTo("mg k v f O3\r\n");
        assertThat(item(commandOf("meta.get vivify")).plainRead()).isNull();
        assertThat(item(commandOf("get")).plainRead()).isNull();
    }

    @Test
    void commandsOnManyKeysNameThem() {
        for (String many : List.of("multiGet", "multiSet", "multiDelete")) {
            KeysCommand<?> command = (KeysCommand<?>) commandOf(many).asItems();
            assertThat(command.keys()).containsExactly("k", "l");
        }
    }
}
