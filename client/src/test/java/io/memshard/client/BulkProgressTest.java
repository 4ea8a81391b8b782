package io.memshard.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.BulkProgress.Departure;
import io.memshard.client.connection.CommandSender;
import io.memshard.client.connection.Reply;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaNoop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BulkProgressTest {

    private static final MemcachedException OVERLOAD = new MemcachedOverloadException("full", at(Phase.QUEUED), null);
    private static final MemcachedException REFUSED = new MemcachedConnectionException("gone", at(Phase.QUEUED), null);
    private static final MemcachedException LOST =
            new MemcachedConnectionException("lost", at(Phase.AWAITING_REPLY), null);

    private final List<String> settled = new ArrayList<>();

    private static CommandContext at(Phase phase) {
        return new CommandContext("server:1", 0, "mn", null, phase);
    }

    /** A connection that is only told apart from others. */
    private record Lane(String name, List<CommandSender> all) implements CommandSender {

        @Override
        public <T> Reply<T> send(Command<T> command) {
            throw new UnsupportedOperationException(name);
        }

        @Override
        public List<CommandSender> spread() {
            return all;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** Parts that are numbers; what is settled is written down. */
    private final class Numbers implements BulkOperation<Integer, MetaNoop, List<String>> {

        private final int count;
        private @Nullable Integer instead;

        Numbers(int count) {
            this.count = count;
        }

        @Override
        public List<Integer> parts() {
            return IntStream.range(0, count).boxed().toList();
        }

        @Override
        public MetaNoop command(Integer part) {
            return new MetaNoop();
        }

        @Override
        public @Nullable Integer answered(Integer part, MetaNoop command, Function<String, CommandContext> contexts) {
            settled.add("answered " + part + " by " + contexts.apply("k").server());
            Integer again = instead;
            instead = null;
            return again;
        }

        @Override
        public void failed(Integer part, MemcachedException failure) {
            settled.add("failed " + part);
        }

        @Override
        public List<String> result() {
            return settled;
        }
    }

    private final List<CommandSender> lanes = new ArrayList<>();
    private Numbers operation = new Numbers(0);

    private BulkProgress<Integer, MetaNoop, List<String>> progress(int parts, String... names) {
        for (String name : names) {
            lanes.add(new Lane(name, lanes));
        }
        operation = new Numbers(parts);
        return new BulkProgress<>(operation, lanes.get(0));
    }

    private static Deque<Departure<Integer>> departures(BulkProgress<Integer, MetaNoop, List<String>> progress) {
        Deque<Departure<Integer>> departures = new ArrayDeque<>();
        for (Departure<Integer> next = progress.next(); next != null; next = progress.next()) {
            departures.add(next);
        }
        return departures;
    }

    private static List<String> senders(Deque<Departure<Integer>> departures) {
        return departures.stream().map(each -> each.sender().toString()).toList();
    }

    @Test
    void eachConnectionHasAFewPartsInFlightAndTheyAreSpreadEvenly() {
        var progress = progress(100, "a", "b");
        Deque<Departure<Integer>> first = departures(progress);

        assertThat(senders(first).stream().filter("a"::equals)).hasSize(BulkProgress.MAX_PARTS_IN_FLIGHT);
        assertThat(senders(first).stream().filter("b"::equals)).hasSize(BulkProgress.MAX_PARTS_IN_FLIGHT);
        assertThat(senders(first).subList(0, 3)).containsExactly("a", "b", "a");
        progress.answered(first.remove(), new MetaNoop());
        assertThat(senders(departures(progress))).containsExactly("a");
        assertThat(settled).containsExactly("answered 0 by a");
    }

    @Test
    void bulkIsOverWhenEachPartIs() {
        var progress = progress(2, "a");
        assertThat(progress.isLast()).isFalse();
        Deque<Departure<Integer>> both = departures(progress);
        progress.answered(both.remove(), new MetaNoop());
        assertThat(progress.isOver()).isFalse();
        progress.failed(both.remove(), LOST);
        assertThat(progress.isOver()).isTrue();
        assertThat(progress(0, "b").isOver()).isTrue();
        assertThat(progress(1, "b").isLast()).isTrue();
    }

    @Test
    void partRefusedByAFullConnectionWaitsForAnother() {
        var progress = progress(3, "a");
        Deque<Departure<Integer>> sent = departures(progress);
        Departure<Integer> inFlight = sent.remove();
        progress.failed(sent.remove(), OVERLOAD);
        progress.failed(sent.remove(), OVERLOAD);

        assertThat(progress.next()).as("no room").isNull();
        assertThat(settled).isEmpty();
        progress.answered(inFlight, new MetaNoop());
        Deque<Departure<Integer>> again = departures(progress);
        assertThat(again).as("as many as there was room for").hasSize(1);
        progress.answered(again.remove(), new MetaNoop());
        progress.answered(departures(progress).remove(), new MetaNoop());
        assertThat(settled).hasSize(3).allMatch(each -> each.startsWith("answered"));
    }

    @Test
    void partRefusedByAConnectionThatOthersHaveFilledFails() {
        var progress = progress(2, "a");
        Deque<Departure<Integer>> sent = departures(progress);
        progress.failed(sent.remove(), OVERLOAD);
        progress.failed(sent.remove(), OVERLOAD);
        assertThat(settled).as("with none in flight").containsExactly("failed 1");
        progress.failed(departures(progress).remove(), OVERLOAD);
        assertThat(settled).containsExactly("failed 1", "failed 0");
        assertThat(progress.isOver()).isTrue();
    }

    @Test
    void partRefusedByALostConnectionGoesOverAnother() {
        var progress = progress(4, "a", "b");
        Deque<Departure<Integer>> sent = departures(progress);
        assertThat(senders(sent)).containsExactly("a", "b", "a", "b");
        progress.failed(sent.remove(), REFUSED);
        progress.answered(sent.remove(), new MetaNoop());
        progress.failed(sent.remove(), LOST);

        assertThat(settled).containsExactly("answered 1 by b", "failed 2");
        Deque<Departure<Integer>> again = departures(progress);
        assertThat(senders(again)).containsExactly("b");
        progress.answered(again.remove(), new MetaNoop());
        assertThat(settled).last().isEqualTo("answered 0 by b");
    }

    @Test
    void partsFailWhenTheLastConnectionIsLost() {
        var progress = progress(3, "a");
        Deque<Departure<Integer>> sent = departures(progress);
        sent.forEach(each -> progress.failed(each, REFUSED));
        assertThat(settled).containsExactly("failed 0", "failed 1", "failed 2");
        assertThat(progress.isOver()).isTrue();
    }

    @Test
    void fullConnectionIsUsedWhenTheOthersAreLost() {
        var progress = progress(2, "a", "b");
        Deque<Departure<Integer>> sent = departures(progress);
        progress.failed(sent.remove(), OVERLOAD);
        progress.failed(sent.remove(), REFUSED);
        assertThat(settled).isEmpty();
        assertThat(senders(departures(progress))).containsExactly("a");
    }

    @Test
    void partIsFollowedByTheOneThatReplacesIt() {
        var progress = progress(2, "a");
        Deque<Departure<Integer>> sent = departures(progress);
        operation.instead = 7;
        progress.answered(sent.remove(), new MetaNoop());
        progress.answered(departures(progress).remove(), new MetaNoop());
        assertThat(settled).containsExactly("answered 0 by a", "answered 7 by a");
        assertThat(progress.isOver()).isFalse();
    }
}
