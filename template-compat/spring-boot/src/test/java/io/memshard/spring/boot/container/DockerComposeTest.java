// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.spring.boot.MemcachedConnectionDetails;
import java.lang.reflect.Constructor;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.docker.compose.core.ConnectionPorts;
import org.springframework.boot.docker.compose.core.ImageReference;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;
import org.springframework.core.env.Environment;
import org.springframework.mock.env.MockEnvironment;

/** Connection details of a Docker Compose service. */
class DockerComposeTest {

    private static @Nullable MemcachedConnectionDetails details(String image, Map<String, String> labels)
            throws ReflectiveOperationException {
        Constructor<DockerComposeConnectionSource> constructor =
                DockerComposeConnectionSource.class.getDeclaredConstructor(RunningService.class, Environment.class);
        constructor.setAccessible(true);
        DockerComposeConnectionSource source =
                constructor.newInstance(new Service(ImageReference.of(image), labels), new MockEnvironment());
        return new MemcachedDockerComposeConnectionDetailsFactory().getConnectionDetails(source);
    }

    @Test
    void aServiceWithTheImageIsReachedAtItsPort() throws ReflectiveOperationException {
        assertThat(details("memcached:1.6", Map.of()).getServers()).containsExactly("127.0.0.1:32768");
        assertThat(details("docker.io/library/memcached", Map.of())).isNotNull();
    }

    private record Service(ImageReference image, Map<String, String> labels) implements RunningService {

        @Override
        public String name() {
            return "cache";
        }

        @Override
        public String host() {
            return "127.0.0.1";
        }

        @Override
        public ConnectionPorts ports() {
            return new ConnectionPorts() {
                @Override
                public int get(int containerPort) {
                    assertThat(containerPort).isEqualTo(11211);
                    return 32768;
                }

                @Override
                public List<Integer> getAll() {
                    return List.of(32768);
                }

                @Override
                public List<Integer> getAll(@Nullable String protocol) {
                    return getAll();
                }
            };
        }

        @Override
        public Map<String, String> env() {
            return Map.of();
        }
    }
}
