// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.listener.CommandEnd;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.ConnectionChooser;
import io.memshard.testkit.EmbeddedMemcached;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The listeners that the factory's builder names are told of what its connections do. */
@Timeout(60)
class ListenerOptionIT {

    private final List<String> first = new CopyOnWriteArrayList<>();
    private final List<String> second = new CopyOnWriteArrayList<>();

    private static ConnectionListener into(List<String> told) {
        return new ConnectionListener() {
            @Override
            public void commandEnded(CommandEnd end) {
                if ("k".equals(end.key())) {
                    told.add(end.verb());
                }
            }
        };
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void eachListenerIsNotified(Mode mode) {
        try (EmbeddedMemcached server = EmbeddedMemcached.start();
                MemcachedConnectionFactory factory = MemcachedConnectionFactory.builder()
                        .servers(server.host() + ':' + server.port())
                        .requestTimeout(Duration.ofSeconds(30))
                        .connectTimeout(Duration.ofSeconds(30))
                        .mode(mode)
                        .listener(into(first))
                        .listener(into(second))
                        .build()) {
            new MemcachedTemplate<>(factory, Transcoder.utf8()).get("k");

            assertThat(first).containsExactly("mg");
            assertThat(second).containsExactly("mg");
        }
    }

    @Test
    void aPipelineHasOneConnectionWhateverTheChooser() {
        List<Integer> used = new CopyOnWriteArrayList<>();
        try (EmbeddedMemcached server = EmbeddedMemcached.start();
                MemcachedConnectionFactory factory = MemcachedConnectionFactory.builder()
                        .servers(server.host() + ':' + server.port())
                        .requestTimeout(Duration.ofSeconds(30))
                        .mode(Mode.SHARDED)
                        .connectionsPerServer(4)
                        .chooser(ConnectionChooser.roundRobin())
                        .listener(new ConnectionListener() {
                            @Override
                            public void commandEnded(CommandEnd end) {
                                if ("k".equals(end.key())) {
                                    used.add(end.connectionIndex());
                                }
                            }
                        })
                        .build()) {
            new MemcachedTemplate<>(factory, Transcoder.utf8()).executePipelined(pipeline -> {
                for (int i = 0; i < 20; i++) {
                    pipeline.set("k", "value " + i, Duration.ofMinutes(1));
                }
            });
        }
        assertThat(used).hasSize(20).containsOnly(used.get(0));
    }
}
