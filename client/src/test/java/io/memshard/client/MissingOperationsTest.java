// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.options.FailurePolicy;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client throws for an operation that it lacks: a MemcachedException that says what to do instead. */
class MissingOperationsTest {

    private static final Duration TTL = Duration.ofMinutes(1);
    private static final String META = "this client does not speak the meta protocol: ";
    private static final String GET = META + "use get, load on a miss, and set";
    private static final String MULTI_GET = META + "use multiGet, load the misses, and multiSet them";
    private static final String MEMSHARD = META + "use a client of Memshard";
    private static final String PREFIX = "this client has no key prefix: write whole keys";
    private static final String HASH = "this client does not hash keys: shorten them";

    /** A client of nothing but the interface's own methods. */
    private static final InvocationHandler DEFAULTS = InvocationHandler::invokeDefault;

    @SuppressWarnings("unchecked")
    private static <T> T lacking(Class<?> api) {
        return (T) Proxy.newProxyInstance(api.getClassLoader(), new Class<?>[] {api}, DEFAULTS);
    }

    private static Arguments blocking(String message, Consumer<MemcachedClient<String>> call) {
        return arguments(message, (Runnable) () -> call.accept(lacking(MemcachedClient.class)));
    }

    private static Arguments async(String message, Consumer<AsyncMemcachedClient<String>> call) {
        return arguments(message, (Runnable) () -> call.accept(lacking(AsyncMemcachedClient.class)));
    }

    static Stream<Arguments> missing() {
        String max = "this client takes deltas up to 9223372036854775807: use ";
        return Stream.of(
                blocking(
                        "this client reads no cas uniques of many items: use gets for each",
                        client -> client.multiGets(List.of("k"))),
                blocking(
                        "this client does not touch many items: use getAndTouch for each",
                        client -> client.multiGetAndTouch(List.of("k"), TTL)),
                blocking(max + "incr, twice for a larger one", client -> client.incrUnsigned("k", -1)),
                blocking(max + "decr, twice for a larger one", client -> client.decrUnsigned("k", -1)),
                blocking(GET, client -> client.getOrLoad("k", TTL, key -> "v")),
                blocking(MULTI_GET, client -> client.multiGetOrLoad(List.of("k"), TTL, keys -> Map.of())),
                blocking(MEMSHARD, MemcachedClient::meta),
                blocking(
                        "this client's timeout is fixed: set requestTimeout where it is built",
                        client -> client.withTimeout(TTL)),
                blocking(
                        "this client has no failure policies: catch what it throws",
                        client -> client.withFailurePolicy(FailurePolicy.TREAT_AS_MISS)),
                blocking(PREFIX, client -> client.withKeyPrefix("p:")),
                blocking(HASH, MemcachedClient::withHashedKeys),
                async(GET, client -> client.getOrLoad("k", TTL, key -> CompletableFuture.completedFuture("v"))),
                async(
                        MULTI_GET,
                        client -> client.multiGetOrLoad(
                                List.of("k"), TTL, keys -> CompletableFuture.completedFuture(Map.of()))),
                async(MEMSHARD, AsyncMemcachedClient::meta),
                async(
                        "this client's timeout is fixed: set requestTimeout where it is built",
                        client -> client.withTimeout(TTL)),
                async(
                        "this client has no failure policies: handle its futures' failures",
                        client -> client.withFailurePolicy(FailurePolicy.TREAT_AS_MISS)),
                async(PREFIX, client -> client.withKeyPrefix("p:")),
                async(HASH, AsyncMemcachedClient::withHashedKeys));
    }

    @ParameterizedTest
    @MethodSource("missing")
    void aMissingOperationSaysWhatToDo(String message, Runnable call) {
        assertThatThrownBy(call::run)
                .isExactlyInstanceOf(MemcachedUnsupportedException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @ValueSource(classes = {MemcachedClient.class, AsyncMemcachedClient.class})
    void noOtherDefaultMethodThrowsWhatIsNotAMemcachedException(Class<?> api) {
        List<Throwable> thrown = Arrays.stream(api.getMethods())
                .filter(Method::isDefault)
                .map(method -> catchThrowable(() -> DEFAULTS.invoke(lacking(api), method, nothing(method))))
                .toList();
        assertThat(thrown).doesNotHaveAnyElementsOfTypes(UnsupportedOperationException.class);
        assertThat(thrown).hasAtLeastOneElementOfType(MemcachedUnsupportedException.class);
    }

    private static Object[] nothing(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .map(type -> type == long.class ? (Object) 0L : null)
                .toArray();
    }
}
