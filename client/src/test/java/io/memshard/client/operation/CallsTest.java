// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.connection.TimerlessSender;
import io.memshard.client.listener.Call;
import io.memshard.client.listener.CallObserver;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.protocol.Command;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.EjectingSender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.SendMode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CallsTest {

    private static final ServerAddress SERVER = new ServerAddress("a", 1);

    /** A sender that sends nothing. */
    private static class Nowhere implements TimerlessSender {

        @Override
        public <T> Reply<T> send(Command<T> command, SendMode mode) {
            throw new UnsupportedOperationException();
        }
    }

    /** Servers of which each policy makes another sender. */
    private static final class Servers extends Nowhere implements EjectingSender {

        private final ServerDownPolicy policy;

        Servers(ServerDownPolicy policy) {
            this.policy = policy;
        }

        @Override
        public CommandSender withServerDown(ServerDownPolicy other) {
            return new Servers(other);
        }
    }

    /** Keeps the calls that it observes. */
    private static final class Observer implements CallObserver, ConnectionListener {

        private final List<Call> observed = new ArrayList<>();

        @Override
        public CallObserver callObserver() {
            return this;
        }

        @Override
        public <T extends @Nullable Object> T call(Call call, Supplier<T> body) {
            observed.add(call);
            return body.get();
        }

        @Override
        public <T extends @Nullable Object> CompletableFuture<T> start(Call call, Supplier<CompletableFuture<T>> body) {
            observed.add(call);
            return body.get();
        }
    }

    private static @Nullable ServerAddress serverOf(@Nullable String key) {
        return key == null ? null : SERVER;
    }

    @ParameterizedTest
    @EnumSource
    void anotherFailurePolicyTakesThePlaceOfTheFirst(FailurePolicy first) {
        CommandSender sender = new Nowhere();
        Calls calls = new Calls(sender, null).withFailurePolicy(first);
        assertThat(calls.failurePolicy()).isEqualTo(first);
        assertThat(calls.plainSender()).isSameAs(sender);
        assertThat(calls.withFailurePolicy(FailurePolicy.FAIL_FAST).sender()).isSameAs(sender);
        Calls other = calls.withFailurePolicy(FailurePolicy.TREAT_AS_MISS);
        assertThat(other.failurePolicy()).isEqualTo(FailurePolicy.TREAT_AS_MISS);
        assertThat(other.plainSender()).isSameAs(sender);
    }

    @Test
    void policyForServersThatAreDownKeepsTheFailurePolicy() {
        Calls calls = new Calls(new Servers(ServerDownPolicy.FAIL_FAST), null)
                .withFailurePolicy(FailurePolicy.TREAT_AS_MISS)
                .withServerDown(ServerDownPolicy.MISS);
        assertThat(calls.failurePolicy()).isEqualTo(FailurePolicy.TREAT_AS_MISS);
        assertThat(((Servers) calls.plainSender()).policy).isEqualTo(ServerDownPolicy.MISS);
    }

    @Test
    void policyForServersThatAreDownChangesNothingWhereNoneIsEjected() {
        Calls calls = new Calls(new Nowhere(), null);
        assertThat(calls.withServerDown(ServerDownPolicy.MISS)).isSameAs(calls);
    }

    @Test
    void observerGetsTheServerOfTheKeyUnderEachPolicy() {
        Observer observer = new Observer();
        Calls calls = new Calls(new Nowhere(), CallObservation.by(observer, CallsTest::serverOf, false))
                .withFailurePolicy(FailurePolicy.TREAT_AS_MISS);
        assertThat(calls.call("get", "k", 1, () -> "v")).isEqualTo("v");
        assertThat(calls.start("multiGet", null, 2, () -> CompletableFuture.completedFuture("w")))
                .isCompletedWithValue("w");
        assertThat(observer.observed)
                .containsExactly(new Call("get", "k", 1, SERVER), new Call("multiGet", null, 2, null));
    }

    @Test
    void hiddenKeyLeavesTheServer() {
        Observer observer = new Observer();
        new Calls(new Nowhere(), CallObservation.by(observer, CallsTest::serverOf, true))
                .call("get", "k", 1, () -> "v");
        assertThat(observer.observed).containsExactly(new Call("get", null, 1, SERVER));
    }

    @Test
    void listenerWithoutObserverObservesNothing() {
        assertThat(CallObservation.by(null, CallsTest::serverOf, false)).isNull();
        assertThat(CallObservation.by(new ConnectionListener() {}, CallsTest::serverOf, false))
                .isNull();
    }
}
