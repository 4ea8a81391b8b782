// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.container;

import io.memshard.spring.boot.MemcachedConnectionDetails;
import java.util.List;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;

/**
 * Factory of the details of a connection to a Docker Compose service. The service's image is {@code memcached}, or its
 * label is {@code org.springframework.boot.service-connection: memcached}.
 */
final class MemcachedDockerComposeConnectionDetailsFactory
        extends DockerComposeConnectionDetailsFactory<MemcachedConnectionDetails> {

    private static final String[] IMAGES = {"memcached", "bitnami/memcached", "bitnamilegacy/memcached"};

    private static final int PORT = 11211;

    MemcachedDockerComposeConnectionDetailsFactory() {
        super(IMAGES);
    }

    @Override
    protected MemcachedConnectionDetails getDockerComposeConnectionDetails(DockerComposeConnectionSource source) {
        return new Details(source.getRunningService());
    }

    private static final class Details extends DockerComposeConnectionDetails implements MemcachedConnectionDetails {

        private final List<String> servers;

        Details(RunningService service) {
            super(service);
            servers = List.of(service.host() + ':' + service.ports().get(PORT));
        }

        @Override
        public List<String> getServers() {
            return servers;
        }
    }
}
