// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.connection.TimerlessSender;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedAuthenticationException;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.client.exception.MemcachedProtocolException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.exception.Phase;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.ReadCommand;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each policy after each failure of each kind of command: what its caller gets, and how often it is sent. */
class PolicySenderTest {

    private static final Duration TIMEOUT = Duration.ofHours(1);

    private static final MemcachedException LOST = new MemcachedConnectionException("lost", at(Phase.WRITTEN), null);
    private static final MemcachedException UNSENT = new MemcachedConnectionException("away", at(Phase.QUEUED), null);
    private static final MemcachedException UNKNOWN =
            new MemcachedAuthenticationException("unknown user", at(Phase.QUEUED), null);
    private static final MemcachedException FULL = new MemcachedOverloadException("full", at(Phase.QUEUED), null);
    private static final MemcachedException GARBLED =
            new MemcachedProtocolException("garbled", at(Phase.AWAITING_REPLY), null);
    private static final MemcachedException LATE = new MemcachedTimeoutException("late", at(Phase.QUEUED), null);
    private static final MemcachedException REFUSED = new MemcachedServerException("refused", at(Phase.REPLIED), null);
    private static final MemcachedException INTERRUPTED =
            new MemcachedInterruptedException("interrupted", at(Phase.QUEUED), null);
    private static final MemcachedException TOO_LARGE = new MemcachedValueTooLargeException("too large", null, null);
    private static final MemcachedException TOO_OLD =
            new MemcachedUnsupportedException("too old", at(Phase.REPLIED), null);

    private static CommandContext at(Phase phase) {
        return new CommandContext("a:11211", 0, "mg", "key", phase);
    }

    /** What is known of a command; a claim is a read that the server answers once only. */
    private enum Kind {
        READ(true, true),
        CLAIM(false, true),
        WRITE(false, false);

        private final boolean isRepeatable;
        private final boolean canBeMissed;

        Kind(boolean isRepeatable, boolean canBeMissed) {
            this.isRepeatable = isRepeatable;
            this.canBeMissed = canBeMissed;
        }
    }

    /** How a caller waits for the reply. */
    private enum Way {
        CALL,
        AWAIT,
        FUTURE
    }

    private static final class Stated extends Command<String> implements ReadCommand<String> {

        private final Kind kind;
        private final String result;

        Stated(Kind kind, String result) {
            this.kind = kind;
            this.result = result;
        }

        @Override
        public String verb() {
            return "stated";
        }

        @Override
        public @Nullable ReadCommand<String> asRead() {
            return kind.canBeMissed ? this : null;
        }

        @Override
        public Command<String> classicForm() {
            return this;
        }

        @Override
        public boolean isRepeatable() {
            return kind.isRepeatable;
        }

        @Override
        public int hits() {
            return -1;
        }

        @Override
        public String miss() {
            return "miss";
        }

        @Override
        public Command<String> again() {
            return new Stated(kind, "second");
        }

        @Override
        public void encode(RequestBuffer out, int opaque) {}

        @Override
        public boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
            return true;
        }

        @Override
        public String result() {
            return result;
        }
    }

    /** Fails one command after the other as told, then answers each. Writes down what it is given. */
    private static final class Failing implements TimerlessSender {

        private final Duration delay;
        private final Deque<MemcachedException> failures;
        private final List<String> given = new ArrayList<>();
        private final List<Long> timeouts = new ArrayList<>();

        Failing(MemcachedException... failures) {
            this(Duration.ZERO, failures);
        }

        Failing(Duration delay, MemcachedException... failures) {
            this.delay = delay;
            this.failures = new ArrayDeque<>(List.of(failures));
        }

        private <T> CompletableFuture<T> failed(MemcachedException failure) {
            CompletableFuture<T> failed = new CompletableFuture<>();
            CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS)
                    .execute(() -> failed.completeExceptionally(failure));
            return delay.isZero() ? CompletableFuture.failedFuture(failure) : failed;
        }

        @Override
        public <T> Reply<T> send(Command<T> command, SendMode mode) {
            given.add(mode.isRetry() ? "again" : "first");
            MemcachedException failure = failures.poll();
            return new Reply<>() {
                @Override
                public T await(long timeoutNanos) {
                    timeouts.add(timeoutNanos);
                    if (failure != null) {
                        assertThat(failed(failure)).failsWithin(Duration.ofMinutes(1));
                        throw failure;
                    }
                    return command.result();
                }

                @Override
                public CompletableFuture<T> toFuture(Duration timeout) {
                    timeouts.add(timeout.toNanos());
                    return failure == null ? CompletableFuture.completedFuture(command.result()) : failed(failure);
                }
            };
        }
    }

    private record Outcome(
            List<String> given,
            @Nullable String result,
            @Nullable Throwable failure) {}

    private static String call(Way way, CommandSender sender, Kind kind, Duration timeout) {
        Command<String> command = new Stated(kind, "first");
        return switch (way) {
            case CALL -> sender.call(command, timeout.toNanos());
            case AWAIT -> sender.send(command).await(timeout.toNanos());
            case FUTURE -> Futures.result(sender.send(command).toFuture(timeout));
        };
    }

    private static Outcome run(Way way, FailurePolicy policy, Kind kind, MemcachedException... failures) {
        Failing sender = new Failing(failures);
        try {
            return new Outcome(sender.given, call(way, PolicySender.around(sender, policy), kind, TIMEOUT), null);
        } catch (MemcachedException e) {
            return new Outcome(sender.given, null, e);
        }
    }

    private static void assertFails(Outcome outcome, int sent, MemcachedException failure) {
        assertThat(outcome.given).hasSize(sent);
        assertThat(outcome.failure).isSameAs(failure);
    }

    @ParameterizedTest
    @EnumSource
    void readsAndClaimsAreTreatedAsMissesAndWritesAreNot(Way way) {
        for (MemcachedException failure : List.of(LOST, UNSENT, FULL, GARBLED, LATE, REFUSED)) {
            for (Kind kind : List.of(Kind.READ, Kind.CLAIM)) {
                Outcome outcome = run(way, FailurePolicy.TREAT_AS_MISS, kind, failure);
                assertThat(outcome).isEqualTo(new Outcome(List.of("first"), "miss", null));
            }
            assertFails(run(way, FailurePolicy.TREAT_AS_MISS, Kind.WRITE, failure), 1, failure);
        }
        for (MemcachedException failure : List.of(INTERRUPTED, TOO_LARGE, TOO_OLD)) {
            assertFails(run(way, FailurePolicy.TREAT_AS_MISS, Kind.READ, failure), 1, failure);
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyCommandThatWasNeverSentIsSentAgain(Way way) {
        for (Kind kind : Kind.values()) {
            for (MemcachedException failure : List.of(UNSENT, FULL)) {
                Outcome outcome = run(way, FailurePolicy.RETRY_ONCE_IF_SAFE, kind, failure);
                assertThat(outcome).isEqualTo(new Outcome(List.of("first", "again"), "second", null));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void onlyRepeatableCommandsAreSentAgainAfterTheyWereSent(Way way) {
        for (MemcachedException failure : List.of(LOST, GARBLED)) {
            Outcome read = run(way, FailurePolicy.RETRY_ONCE_IF_SAFE, Kind.READ, failure);
            assertThat(read.result).isEqualTo("second");
            assertFails(run(way, FailurePolicy.RETRY_ONCE_IF_SAFE, Kind.CLAIM, failure), 1, failure);
            assertFails(run(way, FailurePolicy.RETRY_ONCE_IF_SAFE, Kind.WRITE, failure), 1, failure);
        }
    }

    @ParameterizedTest
    @EnumSource
    void otherFailuresAreNotRetriedAndNoneTwice(Way way) {
        for (MemcachedException failure : List.of(LATE, REFUSED, UNKNOWN, INTERRUPTED, TOO_LARGE, TOO_OLD)) {
            assertFails(run(way, FailurePolicy.RETRY_ONCE_IF_SAFE, Kind.READ, failure), 1, failure);
        }
        assertFails(run(way, FailurePolicy.RETRY_ONCE_IF_SAFE, Kind.READ, UNSENT, FULL), 2, FULL);
    }

    @ParameterizedTest
    @EnumSource
    void partOverOneConnectionIsSentAgainOverAny(Way way) {
        Failing whole = new Failing();
        Failing one = new Failing(UNSENT);
        CommandSender array = new TimerlessSender() {
            @Override
            public <T> Reply<T> send(Command<T> command, SendMode mode) {
                return whole.send(command, mode);
            }

            @Override
            public List<CommandSender> spread(SendMode mode) {
                return List.of(one);
            }
        };
        CommandSender part = PolicySender.around(array, FailurePolicy.RETRY_ONCE_IF_SAFE)
                .spread(SendMode.UNAWAITED)
                .get(0);
        assertThat(call(way, part, Kind.WRITE, TIMEOUT)).isEqualTo("second");
        assertThat(one.given).containsExactly("first");
        assertThat(whole.given).containsExactly("again");
    }

    /** Fails once, after a while. */
    private final Failing late = new Failing(Duration.ofMillis(50), UNSENT);

    private String retried(Way way, Duration timeout) {
        CommandSender under = PolicySender.around(late, FailurePolicy.RETRY_ONCE_IF_SAFE);
        return call(way, under, Kind.READ, timeout);
    }

    @ParameterizedTest
    @EnumSource
    void theSecondAttemptHasTheRestOfTheTime(Way way) {
        assertThat(retried(way, TIMEOUT)).isEqualTo("second");
        assertThat(late.timeouts).hasSize(2);
        assertThat(late.timeouts.get(1))
                .isGreaterThan(0L)
                .isLessThanOrEqualTo(TIMEOUT.minus(late.delay).toNanos());
    }

    @ParameterizedTest
    @EnumSource
    void noSecondAttemptIsMadeAfterTheTimeout(Way way) {
        assertThatThrownBy(() -> retried(way, late.delay.dividedBy(2))).isSameAs(UNSENT);
        assertThat(late.given).containsExactly("first");
    }
}
