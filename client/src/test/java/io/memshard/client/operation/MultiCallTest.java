// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.PatientOptions;
import io.memshard.client.connection.TimerlessSender;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.client.exception.Phase;
import io.memshard.client.operation.MultiCall.Sending;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaNoop;
import io.memshard.client.protocol.wire.KeyRule;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.SendMode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MultiCallTest {

    private static final MemcachedException OVERLOAD = new MemcachedOverloadException("full", at(Phase.QUEUED), null);
    private static final MemcachedException REFUSED = new MemcachedConnectionException("gone", at(Phase.QUEUED), null);
    private static final MemcachedException LOST =
            new MemcachedConnectionException("lost", at(Phase.AWAITING_REPLY), null);

    private final List<String> settled = new ArrayList<>();

    private static CommandContext at(Phase phase) {
        return new CommandContext("server:1", 0, "mn", null, phase);
    }

    /** A connection that is only told apart from others. */
    private record Route(String name, List<CommandSender> all) implements TimerlessSender {

        @Override
        public <T> Reply<T> send(Command<T> command, SendMode mode) {
            throw new UnsupportedOperationException(name);
        }

        @Override
        public List<CommandSender> spread(SendMode mode) {
            return all;
        }

        /** It is among its own components. */
        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return name.hashCode();
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** Each part has one number; what is settled is written down. */
    private final class Numbers extends MultiCall<String, Void, List<String>> {

        Numbers(CommandSender sender, int count) {
            super(
                    new Calls(sender, FailurePolicy.FAIL_FAST, PatientOptions.LONG, null, nanos -> nanos),
                    "numbers",
                    new MultiKeys(
                            KeyRule.NONE,
                            IntStream.range(0, count).mapToObj(String::valueOf).toList()),
                    1);
        }

        @Override
        List<List<String>> unsplit() {
            return List.of(keys.stored());
        }

        @Override
        String key(String item) {
            return item;
        }

        @Override
        int requestBytes(String item) {
            return 1;
        }

        @Override
        Command<Void> command(Part<String> part) {
            return new MetaNoop();
        }

        @Override
        @Nullable
        Part<String> take(Part<String> part, @Nullable Void answer, Function<String, CommandContext> contexts) {
            settled.add("answered " + part.items().get(0) + " by "
                    + contexts.apply("k").server());
            return null;
        }

        @Override
        void record(String stored, Object outcome) {
            settled.add("failed " + stored);
        }

        @Override
        List<String> result() {
            return settled;
        }
    }

    private final List<CommandSender> routes = new ArrayList<>();

    private Numbers progress(int parts, String... names) {
        for (String name : names) {
            routes.add(new Route(name, routes));
        }
        return progress(parts, routes.get(0));
    }

    private Numbers progress(int parts, CommandSender sender) {
        Numbers operation = new Numbers(sender, parts);
        operation.begin(SendMode.AWAITED);
        return operation;
    }

    private static Deque<Sending<String, Void>> sendings(Numbers progress) {
        Deque<Sending<String, Void>> sendings = new ArrayDeque<>();
        for (Sending<String, Void> next = progress.next(); next != null; next = progress.next()) {
            sendings.add(next);
        }
        return sendings;
    }

    private static List<String> senders(Deque<Sending<String, Void>> sendings) {
        return sendings.stream().map(each -> each.sender().toString()).toList();
    }

    @Test
    void eachConnectionHasAFewPartsInFlightAndTheyAreSpreadEvenly() {
        var progress = progress(100, "a", "b");
        Deque<Sending<String, Void>> first = sendings(progress);

        assertThat(senders(first).stream().filter("a"::equals)).hasSize(MultiCall.MAX_PARTS_IN_FLIGHT);
        assertThat(senders(first).stream().filter("b"::equals)).hasSize(MultiCall.MAX_PARTS_IN_FLIGHT);
        assertThat(senders(first).subList(0, 3)).containsExactly("a", "b", "a");
        progress.takeAnswer(first.remove(), null);
        assertThat(senders(sendings(progress))).containsExactly("a");
        assertThat(settled).containsExactly("answered 0 by a");
    }

    @Test
    void partRefusedByAConnectionThatOthersHaveFilledFails() {
        var progress = progress(2, "a");
        Deque<Sending<String, Void>> sent = sendings(progress);
        progress.takeFailure(sent.remove(), OVERLOAD);
        progress.takeFailure(sent.remove(), OVERLOAD);
        assertThat(settled)
                .as("each may have filled the connection for the other")
                .isEmpty();
        progress.takeFailure(onlySending(progress), OVERLOAD);
        progress.takeFailure(onlySending(progress), OVERLOAD);
        assertThat(settled).containsExactly("failed 1", "failed 0");
        assertThat(progress.isOver()).isTrue();
    }

    @Test
    void partRefusedBecauseOfAnEarlierPartIsSentAfterItsReply() {
        var progress = progress(2, "a");
        Deque<Sending<String, Void>> sent = sendings(progress);
        progress.takeAnswer(sent.remove(), null);
        progress.takeFailure(sent.remove(), OVERLOAD);
        progress.takeAnswer(onlySending(progress), null);
        assertThat(settled).containsExactly("answered 0 by a", "answered 1 by a");
    }

    @Test
    void connectionThatOtherCallersHaveFilledKeepsNoPartFromAnother() {
        var progress = progress(18, "a", "b");
        sendings(progress).forEach(each -> progress.takeFailure(each, OVERLOAD));
        Sending<String, Void> first = onlySending(progress);
        progress.takeFailure(first, OVERLOAD);
        Sending<String, Void> second = onlySending(progress);
        assertThat(second.sender()).isNotEqualTo(first.sender());
        progress.takeAnswer(second, null);
        assertThat(onlySending(progress).sender()).isEqualTo(second.sender());
    }

    private static Sending<String, Void> onlySending(Numbers progress) {
        Deque<Sending<String, Void>> sendings = sendings(progress);
        assertThat(sendings).hasSize(1);
        return sendings.remove();
    }

    @Test
    void partRefusedByALostConnectionGoesOverAnother() {
        var progress = progress(4, "a", "b");
        Deque<Sending<String, Void>> sent = sendings(progress);
        assertThat(senders(sent)).containsExactly("a", "b", "a", "b");
        progress.takeFailure(sent.remove(), REFUSED);
        progress.takeAnswer(sent.remove(), null);
        progress.takeFailure(sent.remove(), LOST);

        assertThat(settled).containsExactly("answered 1 by b", "failed 2");
        Deque<Sending<String, Void>> again = sendings(progress);
        assertThat(senders(again)).containsExactly("b");
        progress.takeAnswer(again.remove(), null);
        assertThat(settled).last().isEqualTo("answered 0 by b");
    }

    @Test
    void fullConnectionIsUsedWhenTheOthersAreLost() {
        var progress = progress(2, "a", "b");
        Deque<Sending<String, Void>> sent = sendings(progress);
        progress.takeFailure(sent.remove(), OVERLOAD);
        progress.takeFailure(sent.remove(), REFUSED);
        assertThat(settled).isEmpty();
        assertThat(senders(sendings(progress))).containsExactly("a");
    }

    /** Servers with a connection each; a key of {@code n} is of server {@code n} modulo their number. */
    private static final class Servers implements TimerlessSender {

        private final List<CommandSender> servers = new ArrayList<>();
        private final Set<Integer> left = new HashSet<>();

        Servers(String... names) {
            for (String name : names) {
                List<CommandSender> connections = new ArrayList<>();
                connections.add(new Route(name, connections));
                servers.add(connections.get(0));
            }
        }

        @Override
        public <T> Reply<T> send(Command<T> command, SendMode mode) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <I> Map<CommandSender, List<I>> byServer(List<I> items, Function<I, String> key) {
            Map<CommandSender, List<I>> groups = new LinkedHashMap<>();
            for (I item : items) {
                int server = Integer.parseInt(key.apply(item)) % servers.size();
                int taking = left.contains(server) ? (server + 1) % servers.size() : server;
                groups.computeIfAbsent(servers.get(taking), any -> new ArrayList<>())
                        .add(item);
            }
            return groups;
        }
    }

    @Test
    void serversTakeTurnsAndAFullOneDelaysNoOther() {
        var progress = progress(30, new Servers("a", "b"));
        Deque<Sending<String, Void>> first = sendings(progress);

        assertThat(senders(first).subList(0, 4)).containsExactly("a", "b", "a", "b");
        assertThat(first).hasSize(2 * MultiCall.MAX_PARTS_IN_FLIGHT);
        Sending<String, Void> ofA = first.remove();
        Sending<String, Void> ofB = first.remove();
        progress.takeAnswer(ofB, null);
        assertThat(senders(sendings(progress))).containsExactly("b");
        progress.takeFailure(ofA, LOST);
        assertThat(settled).containsExactly("answered 1 by b", "failed 0");
        assertThat(senders(sendings(progress))).containsExactly("a");
        assertThat(progress.isOver()).isFalse();
    }

    @Test
    void aPartThatWasNotSentGoesToTheServerThatHasItsKeysNow() {
        Servers servers = new Servers("a", "b");
        var progress = progress(2, servers);
        Deque<Sending<String, Void>> first = sendings(progress);

        servers.left.add(0);
        progress.takeFailure(first.remove(), REFUSED);
        Sending<String, Void> again = progress.next();
        assertThat(again).isNotNull();
        assertThat(again.sender()).hasToString("b");
        progress.takeAnswer(again, null);
        progress.takeAnswer(first.remove(), null);
        assertThat(settled).containsExactly("answered 0 by b", "answered 1 by b");
        assertThat(progress.isOver()).isTrue();
    }

    @Test
    void aPartThatWasSentIsNotSentToAnotherServer() {
        Servers servers = new Servers("a", "b");
        var progress = progress(1, servers);
        Sending<String, Void> sending = sendings(progress).remove();

        servers.left.add(0);
        progress.takeFailure(sending, LOST);
        assertThat(settled).containsExactly("failed 0");
        assertThat(progress.isOver()).isTrue();
    }
}
