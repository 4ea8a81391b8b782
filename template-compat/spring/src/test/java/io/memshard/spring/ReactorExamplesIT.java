// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.Memshard;
import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The Reactor code of docs/clients.md. It runs too. */
@Timeout(60)
class ReactorExamplesIT {

    private final EmbeddedMemcached server = EmbeddedMemcached.start();
    private final Memshard memshard = Memshard.builder()
            .servers(server.address())
            .requestTimeout(Duration.ofSeconds(30))
            .connectTimeout(Duration.ofSeconds(30))
            .build();
    private final AsyncMemcachedClient<String> cache = memshard.asyncClient(Transcoder.utf8());
    private final AtomicInteger renderings = new AtomicInteger();

    @AfterEach
    void close() {
        memshard.close();
        server.close();
    }

    Mono<String> greeting(String name) {
        return Mono.fromFuture(() -> cache.get("greeting:" + name));
    }

    Mono<String> page(String key) {
        return Mono.fromFuture(() -> cache.getOrLoad(
                key, Duration.ofMinutes(5), missing -> render(missing).toFuture()));
    }

    Flux<String> pages(List<String> keys) {
        return Mono.fromFuture(() -> cache.multiGet(keys))
                .flatMapIterable(result -> result.hits().values());
    }

    Mono<Integer> lines(String key) {
        return page(key).publishOn(Schedulers.boundedElastic()).map(page -> countLinesSlowly(page));
    }

    private Mono<String> render(String key) {
        return Mono.fromSupplier(() -> key + " " + renderings.incrementAndGet());
    }

    private static int countLinesSlowly(String page) {
        return (int) page.lines().count();
    }

    @Test
    void aMissIsAnEmptyMono() {
        assertThat(greeting("ann").blockOptional()).isEmpty();

        cache.set("greeting:ann", "hi", Duration.ofMinutes(1)).join();
        assertThat(greeting("ann").block()).isEqualTo("hi");
    }

    @Test
    void nothingIsSentBeforeSomebodySubscribes() {
        Mono<String> greeting = greeting("ann");
        cache.set("greeting:ann", "hi", Duration.ofMinutes(1)).join();

        assertThat(greeting.block()).isEqualTo("hi");
    }

    @Test
    void aPageIsRenderedOnce() {
        assertThat(page("one").block()).isEqualTo("one 1");
        assertThat(page("one").block()).isEqualTo("one 1");
        assertThat(lines("one").block()).isEqualTo(1);
        assertThat(pages(List.of("one", "two")).collectList().block()).containsExactly("one 1");
    }
}
