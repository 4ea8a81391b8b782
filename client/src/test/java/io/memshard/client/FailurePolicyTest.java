package io.memshard.client;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each policy, on each operation of both clients and of their meta clients, after each failure: what is returned, and how often it is sent. */
class FailurePolicyTest {

    private static final Set<String> READS = Set.of("get", "gets", "getAndTouch", "getAll", "debug");
    /** Views; and getOrLoad and writes of many keys, which have their own tests. */
    private static final Set<String> NOT_HERE =
            Set.of("withTranscoder", "withTimeout", "withFailurePolicy", "meta", "getOrLoad", "setAll", "deleteAll");

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

    /** An operation of one of the four clients. */
    private record Operation(Class<?> client, Method method) {

        boolean isAsync() {
            return client == AsyncMemcachedClient.class || client == AsyncMetaClient.class;
        }

        boolean isRead() {
            return READS.contains(method.getName());
        }

        /** Runs it under the policy; what it returned or threw, of a future too. */
        Outcome under(FailurePolicy policy, List<MemcachedException> failures) {
            return under(policy, failures, arguments());
        }

        Outcome under(FailurePolicy policy, List<MemcachedException> failures, Object... arguments) {
            Stub stub = new Stub(this, failures);
            Object view = isAsync() ? asyncView(stub, policy) : blockingView(stub, policy);
            try {
                method.setAccessible(true);
                Object returned = method.invoke(view, arguments);
                return new Outcome(stub.calls, returned instanceof CompletableFuture<?> f ? f.get() : returned, null);
            } catch (InvocationTargetException | ExecutionException e) {
                return new Outcome(stub.calls, null, e.getCause());
            } catch (ReflectiveOperationException | InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        private Object blockingView(Stub stub, FailurePolicy policy) {
            MemcachedClient<?> stubbed = stub.proxy(MemcachedClient.class);
            MemcachedClient<?> view = Clients.withFailurePolicy(stubbed, policy);
            return client == MetaClient.class ? view.meta() : view;
        }

        private Object asyncView(Stub stub, FailurePolicy policy) {
            AsyncMemcachedClient<?> stubbed = stub.proxy(AsyncMemcachedClient.class);
            AsyncMemcachedClient<?> view = Clients.withFailurePolicy(stubbed, policy);
            return client == AsyncMetaClient.class ? view.meta() : view;
        }

        private Object[] arguments() {
            return Arrays.stream(method.getParameterTypes())
                    .map(Operation::argument)
                    .toArray();
        }

        private static Object argument(Class<?> type) {
            if (type == GetRequest.class) {
                return GetRequest.of("key").touch(Duration.ofSeconds(1));
            }
            if (type == SetRequest.class) {
                return SetRequest.of("key", "value");
            }
            if (type == DeleteRequest.class) {
                return DeleteRequest.of("key");
            }
            if (type == ArithmeticRequest.class) {
                return ArithmeticRequest.of("key");
            }
            if (type == ItemKey.class) {
                return ItemKey.of("key");
            }
            if (type == Duration.class) {
                return Duration.ofSeconds(1);
            }
            if (type == long.class) {
                return 1L;
            }
            return type == Collection.class ? List.of("a", "b") : "text";
        }

        Object success() {
            Class<?> type = method.getReturnType();
            if (method.getName().equals("getAll")) {
                return new MultiGetResult<>(Map.of("a", "value"), Set.of("b"), Map.of());
            }
            return type == boolean.class ? true : type == long.class ? 7L : defaultOf(type);
        }

        private static @Nullable Object defaultOf(Class<?> type) {
            return type == String.class || type == Object.class ? "value" : null;
        }

        @Override
        public String toString() {
            return method.toString();
        }
    }

    private record Outcome(
            int calls, @Nullable Object returned, @Nullable Throwable thrown) {}

    /** A client whose operations fail as told, one after the other, and then succeed. */
    private static final class Stub {

        private final Operation operation;
        private final List<MemcachedException> failures;
        private int calls;

        Stub(Operation operation, List<MemcachedException> failures) {
            this.operation = operation;
            this.failures = new ArrayList<>(failures);
        }

        <C> C proxy(Class<C> type) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(),
                    new Class<?>[] {type},
                    (proxy, method, arguments) ->
                            method.getName().equals("meta") ? proxy(operation.client) : answer()));
        }

        private Object answer() {
            calls++;
            boolean isAsync = operation.isAsync();
            boolean isMany = operation.method.getName().equals("getAll");
            if (failures.isEmpty()) {
                Object success = operation.success();
                return isAsync ? CompletableFuture.completedFuture(success) : success;
            }
            MemcachedException failure = failures.remove(0);
            if (isMany) {
                Object result = new MultiGetResult<>(Map.of("a", "value"), Set.of(), Map.of("b", failure));
                return isAsync ? CompletableFuture.completedFuture(result) : result;
            }
            if (isAsync) {
                return CompletableFuture.failedFuture(failure);
            }
            throw failure;
        }
    }

    static Stream<Operation> operations() {
        return Stream.of(MemcachedClient.class, AsyncMemcachedClient.class, MetaClient.class, AsyncMetaClient.class)
                .flatMap(client -> Arrays.stream(client.getMethods())
                        .filter(method -> !NOT_HERE.contains(method.getName()))
                        .map(method -> new Operation(client, method)));
    }

    private static void assertFailed(Operation operation, Outcome outcome, int calls, MemcachedException failure) {
        assertThat(outcome.calls).as("calls of " + operation).isEqualTo(calls);
        if (outcome.returned instanceof MultiGetResult<?> many) {
            assertThat(many.failures()).as(operation + " under " + failure).isEqualTo(Map.of("b", failure));
            assertThat(many.hits().keySet()).hasSize(1);
            assertThat(many.misses()).isEmpty();
        } else {
            assertThat(outcome.thrown).as(operation + " under " + failure).isSameAs(failure);
        }
    }

    private static void assertSucceeded(Operation operation, Outcome outcome, int calls) {
        assertThat(outcome.thrown).as("failure of " + operation).isNull();
        assertThat(outcome.calls).as("calls of " + operation).isEqualTo(calls);
    }

    @ParameterizedTest
    @MethodSource("operations")
    void failFastThrowsWhateverComes(Operation operation) {
        for (MemcachedException failure :
                List.of(LOST, UNSENT, FULL, GARBLED, LATE, REFUSED, INTERRUPTED, TOO_LARGE, TOO_OLD)) {
            assertFailed(operation, operation.under(FailurePolicy.FAIL_FAST, List.of(failure)), 1, failure);
        }
    }

    @ParameterizedTest
    @MethodSource("operations")
    void treatedAsAMissAreReadsAndNoWrites(Operation operation) {
        for (MemcachedException failure : List.of(LOST, UNSENT, FULL, GARBLED, LATE, REFUSED)) {
            Outcome outcome = operation.under(FailurePolicy.TREAT_AS_MISS, List.of(failure));
            if (!operation.isRead()) {
                assertFailed(operation, outcome, 1, failure);
            } else if (outcome.returned instanceof MultiGetResult<?> many) {
                assertSucceeded(operation, outcome, 1);
                assertThat(many.misses()).isEqualTo(Set.of("b"));
                assertThat(many.failures()).isEmpty();
                assertThat(many.hits()).hasSize(1);
            } else {
                assertSucceeded(operation, outcome, 1);
                assertThat(outcome.returned).isNull();
            }
        }
        for (MemcachedException failure : List.of(INTERRUPTED, TOO_LARGE, TOO_OLD)) {
            assertFailed(operation, operation.under(FailurePolicy.TREAT_AS_MISS, List.of(failure)), 1, failure);
        }
    }

    @ParameterizedTest
    @MethodSource("operations")
    void retriedIsWhatWasNeverSent(Operation operation) {
        for (MemcachedException failure : List.of(UNSENT, FULL)) {
            assertSucceeded(operation, operation.under(FailurePolicy.RETRY_ONCE_IF_SAFE, List.of(failure)), 2);
        }
    }

    @ParameterizedTest
    @MethodSource("operations")
    void retriedAfterItWasSentAreReadsAndNoWrites(Operation operation) {
        for (MemcachedException failure : List.of(LOST, GARBLED)) {
            Outcome outcome = operation.under(FailurePolicy.RETRY_ONCE_IF_SAFE, List.of(failure));
            if (operation.isRead()) {
                assertSucceeded(operation, outcome, 2);
            } else {
                assertFailed(operation, outcome, 1, failure);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("operations")
    void retriedIsNothingElseAndNothingTwice(Operation operation) {
        for (MemcachedException failure : List.of(LATE, REFUSED, UNKNOWN, INTERRUPTED, TOO_LARGE, TOO_OLD)) {
            assertFailed(operation, operation.under(FailurePolicy.RETRY_ONCE_IF_SAFE, List.of(failure)), 1, failure);
        }
        assertFailed(operation, operation.under(FailurePolicy.RETRY_ONCE_IF_SAFE, List.of(UNSENT, FULL)), 2, FULL);
    }

    static Stream<Operation> metaGets() {
        return operations()
                .filter(operation -> operation.method.getParameterTypes().length == 1
                        && operation.method.getParameterTypes()[0] == GetRequest.class);
    }

    @ParameterizedTest
    @MethodSource("metaGets")
    void winThatALostReplyMayHaveHeldIsNotAskedForAgain(Operation get) {
        GetRequest plain = GetRequest.of("key");
        for (GetRequest claim :
                List.of(plain.vivify(Duration.ofSeconds(1)), plain.recacheBelow(Duration.ofSeconds(1)))) {
            for (MemcachedException failure : List.of(LOST, GARBLED)) {
                Outcome outcome = get.under(FailurePolicy.RETRY_ONCE_IF_SAFE, List.of(failure), claim);
                assertFailed(get, outcome, 1, failure);
            }
            for (MemcachedException failure : List.of(UNSENT, FULL)) {
                assertSucceeded(get, get.under(FailurePolicy.RETRY_ONCE_IF_SAFE, List.of(failure), claim), 2);
            }
            Outcome missed = get.under(FailurePolicy.TREAT_AS_MISS, List.of(LOST), claim);
            assertSucceeded(get, missed, 1);
            assertThat(missed.returned).isNull();
        }
    }
}
