// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.listener.Call;
import io.memshard.client.listener.CallObserver;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.LeakCheck;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The calls of a template, of its clients and of its handles, as an observer gets them. */
@Timeout(60)
class TemplateObservationIT {

    private final LeakCheck leakCheck = LeakCheck.start();

    @AfterEach
    void leavesNothing() {
        leakCheck.assertNothingLeft();
    }

    /** Keeps the calls that it observes. */
    private static final class Observer implements CallObserver, ConnectionListener {

        private final List<Call> observed = new CopyOnWriteArrayList<>();

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

    @ParameterizedTest
    @EnumSource(Mode.class)
    void eachCallIsObservedOnce(Mode mode) {
        Observer observer = new Observer();
        try (EmbeddedMemcached server = EmbeddedMemcached.start();
                MemcachedConnectionFactory factory = MemcachedConnectionFactory.builder()
                        .mode(mode)
                        .servers(server.host() + ':' + server.port())
                        .requestTimeout(Duration.ofSeconds(30))
                        .listener(observer)
                        .build()) {
            MemcachedTemplate<String> template = new MemcachedTemplate<>(factory, Transcoder.utf8());
            template.get("a");
            template.async().get("b").join();
            template.withTimeout(Duration.ofSeconds(9)).multiGet(List.of("c", "d"));
            try (MemcachedConnection handle = factory.getConnection()) {
                handle.get("e", Transcoder.utf8());
            }
            ServerAddress address = new ServerAddress(server.host(), server.port());
            assertThat(observer.observed)
                    .as("the pool checks what it lends")
                    .filteredOn(call -> !call.operation().equals("version"))
                    .containsExactly(
                            new Call("get", "a", 1, address),
                            new Call("get", "b", 1, address),
                            new Call("multiGet", null, 2, address),
                            new Call("get", "e", 1, address));
        }
    }
}
