package io.memshard.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.Phase;
import io.memshard.client.options.FailurePolicy;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Of many writes, those are sent again that were never sent, and no others; nothing passes for a miss. */
class FailurePolicyManyTest {

    private static final MemcachedException LOST = failure(Phase.WRITTEN);
    private static final MemcachedException UNSENT = failure(Phase.QUEUED);
    private static final Map<String, String> VALUES = Map.of("a", "1", "b", "2", "c", "3");
    private static final Set<String> KEYS = VALUES.keySet();

    /** The keys of each call, in order. */
    private final List<Set<String>> calls = new ArrayList<>();

    private static MemcachedException failure(Phase phase) {
        return new MemcachedConnectionException("away", new CommandContext("h:1", 0, "ms", "b", phase), null);
    }

    /** A client whose first call does {@code a}, does not send {@code b}, and loses {@code c}; later ones succeed. */
    private <C> C client(Class<C> type) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, given) -> {
                    Set<String> keys =
                            given[0] instanceof Map<?, ?> map ? names(map.keySet()) : names((Collection<?>) given[0]);
                    calls.add(keys);
                    boolean first = calls.size() == 1;
                    Set<String> done = first ? Set.of("a") : keys;
                    Map<String, MemcachedException> failures = first ? Map.of("b", UNSENT, "c", LOST) : Map.of();
                    Object result = method.getName().equals("setAll")
                            ? new MultiSetResult(done, failures)
                            : new MultiDeleteResult(done, Set.of(), failures);
                    return type == AsyncMemcachedClient.class ? CompletableFuture.completedFuture(result) : result;
                }));
    }

    private static Set<String> names(Collection<?> keys) {
        return keys.stream().map(String.class::cast).collect(Collectors.toUnmodifiableSet());
    }

    @SuppressWarnings("unchecked")
    private MemcachedClient<String> blocking(FailurePolicy policy) {
        MemcachedClient<String> client = client(MemcachedClient.class);
        return Clients.withFailurePolicy(client, policy);
    }

    @SuppressWarnings("unchecked")
    private AsyncMemcachedClient<String> async(FailurePolicy policy) {
        AsyncMemcachedClient<String> client = client(AsyncMemcachedClient.class);
        return Clients.withFailurePolicy(client, policy);
    }

    private void assertRetried(Set<String> done, Map<String, MemcachedException> failures) {
        assertThat(calls).containsExactly(KEYS, Set.of("b"));
        assertThat(done).containsExactlyInAnyOrder("a", "b");
        assertThat(failures).isEqualTo(Map.of("c", LOST));
    }

    @Test
    void storesThatWereNeverSentAreSentAgain() {
        MultiSetResult result = blocking(FailurePolicy.RETRY_ONCE_IF_SAFE).setAll(VALUES, Duration.ZERO);

        assertRetried(result.stored(), result.failures());
    }

    @Test
    void deletesThatWereNeverSentAreSentAgain() {
        MultiDeleteResult result = blocking(FailurePolicy.RETRY_ONCE_IF_SAFE).deleteAll(KEYS);

        assertRetried(result.deleted(), result.failures());
    }

    @Test
    void asynchronousStoresThatWereNeverSentAreSentAgain() {
        MultiSetResult result = async(FailurePolicy.RETRY_ONCE_IF_SAFE)
                .setAll(VALUES, Duration.ZERO)
                .join();

        assertRetried(result.stored(), result.failures());
    }

    @Test
    void asynchronousDeletesThatWereNeverSentAreSentAgain() {
        MultiDeleteResult result =
                async(FailurePolicy.RETRY_ONCE_IF_SAFE).deleteAll(KEYS).join();

        assertRetried(result.deleted(), result.failures());
    }

    @Test
    void noFailedWritePassesForAMiss() {
        MultiDeleteResult result = blocking(FailurePolicy.TREAT_AS_MISS).deleteAll(KEYS);

        assertThat(calls).containsExactly(KEYS);
        assertThat(result.misses()).isEmpty();
        assertThat(result.failures()).isEqualTo(Map.of("b", UNSENT, "c", LOST));
    }
}
