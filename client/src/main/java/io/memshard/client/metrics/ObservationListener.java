// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.metrics;

import io.memshard.client.listener.Call;
import io.memshard.client.listener.CallObserver;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.options.ServerAddress;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Listener that creates an observation of each call, for tracing with Micrometer.
 *
 * <p>The observation is a child of the caller's current observation. During a blocking call, the call's observation is
 * current, and is the parent of every observation that a loader starts. The observation of an asynchronous call stops
 * when the result is complete. Dependent stages then run with the caller's observation as the current observation.
 *
 * <p>The names and keys of observations follow OpenTelemetry's conventions for database clients; see
 * {@link CallContext}. Calls of the admin client are not observed.
 *
 * <p>Threading: thread-safe. One listener may serve many clients.
 *
 * <p>Failure: an exception of a handler of the registry is thrown to the caller. At the end of an asynchronous call,
 * the exception is ignored.
 */
@SuppressWarnings("exports") // An application that has Micrometer requires its module itself.
public final class ObservationListener implements ConnectionListener {

    private static final String NONE = "none";
    private static final Set<String> READS_OF_ONE_KEY = Set.of("get", "gets", "getAndTouch");

    private final ObservationRegistry registry;
    private final @Nullable String pool;
    private final boolean showsKeys;

    /**
     * Creates a listener with observations in {@code registry}. The pool name of an observation is the name of the
     * call's server, or {@code none} if the call uses several servers.
     */
    public ObservationListener(ObservationRegistry registry) {
        this(Objects.requireNonNull(registry, "registry is null"), null, false);
    }

    /** Creates a listener with observations in {@code registry}, for the client named {@code pool}. */
    public ObservationListener(ObservationRegistry registry, String pool) {
        this(Objects.requireNonNull(registry, "registry is null"), Objects.requireNonNull(pool, "pool is null"), false);
    }

    private ObservationListener(ObservationRegistry registry, @Nullable String pool, boolean showsKeys) {
        this.registry = registry;
        this.pool = pool;
        this.showsKeys = showsKeys;
    }

    /**
     * Returns a listener whose observations also include the key of a call with one key. By default, observations do
     * not contain keys, because keys may contain user names. The keys of a client with {@code hideKeys} are never
     * shown.
     */
    public ObservationListener showingKeys() {
        return new ObservationListener(registry, pool, true);
    }

    @Override
    public CallObserver callObserver() {
        return new Observer();
    }

    private final class Observer implements CallObserver {

        @Override
        @SuppressWarnings("try") // The scope only has to be open.
        public <T extends @Nullable Object> T call(Call call, Supplier<T> body) {
            Observation observation = start(call);
            Object result = null;
            Throwable failure = null;
            try (Observation.Scope current = observation.openScope()) {
                T value = body.get();
                result = value;
                return value;
            } catch (Throwable e) {
                failure = e;
                throw e;
            } finally {
                end(observation, call, result, failure);
            }
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // The returned future completes when this one does.
        public <T extends @Nullable Object> CompletableFuture<T> start(Call call, Supplier<CompletableFuture<T>> body) {
            Observation caller = registry.getCurrentObservation();
            Observation observation = start(call);
            CompletableFuture<T> running;
            try {
                running = body.get();
            } catch (Throwable e) {
                end(observation, call, null, e);
                throw e;
            }
            CompletableFuture<T> result = running.newIncompleteFuture();
            running.whenComplete((value, failure) -> {
                try {
                    end(observation, call, value, failure);
                    Observation.tryScoped(caller, () -> complete(result, value, failure));
                } finally {
                    // The caller gets the result even if a handler throws.
                    complete(result, value, failure);
                }
            });
            return result;
        }

        private Observation start(Call call) {
            ServerAddress server = call.server();
            String own = server == null ? NONE : server.nameOrAddress();
            String name = pool == null ? own : pool;
            Observation observation = Observation.createNotStarted(
                            "db.client.operation.duration", () -> new CallContext(call, name), registry)
                    .contextualName(server == null ? call.operation() : call.operation() + ' ' + own)
                    .lowCardinalityKeyValue("db.system.name", "memcached")
                    .lowCardinalityKeyValue("db.operation.name", call.operation())
                    .lowCardinalityKeyValue("db.client.connection.pool.name", name);
            if (server != null) {
                observation.highCardinalityKeyValue("server.address", server.host());
            }
            if (server != null && !server.isUnixSocket()) {
                observation.highCardinalityKeyValue("server.port", String.valueOf(server.port()));
            }
            if (call.keys() > 1) {
                observation.highCardinalityKeyValue("db.operation.batch.size", String.valueOf(call.keys()));
            }
            if (showsKeys && call.key() != null) {
                observation.highCardinalityKeyValue("memshard.key", call.key());
            }
            return observation.start();
        }
    }

    private static void end(Observation observation, Call call, @Nullable Object result, @Nullable Throwable failure) {
        if (failure != null) {
            Throwable inner = failure instanceof CompletionException ? failure.getCause() : null;
            Throwable cause = inner == null ? failure : inner;
            observation.error(cause).highCardinalityKeyValue("error.type", Outcome.of(cause.getClass()));
        } else if (READS_OF_ONE_KEY.contains(call.operation())) {
            observation.highCardinalityKeyValue("memshard.result", result == null ? "miss" : "hit");
        }
        observation.stop();
    }

    private static <T extends @Nullable Object> void complete(
            CompletableFuture<T> result, T value, @Nullable Throwable failure) {
        if (failure == null) {
            result.complete(value);
        } else {
            result.completeExceptionally(failure);
        }
    }
}
