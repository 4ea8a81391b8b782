// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.test;

import io.memshard.spring.boot.MemcachedConnectionDetails;
import java.util.List;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;
import org.testcontainers.containers.Container;

/** Factory of connection details for {@code @ServiceConnection} containers whose image or name is memcached. */
final class MemcachedContainerConnectionDetailsFactory
        extends ContainerConnectionDetailsFactory<Container<?>, MemcachedConnectionDetails> {

    private static final int PORT = 11211;

    MemcachedContainerConnectionDetailsFactory() {
        super(List.of("memcached", "bitnami/memcached", "bitnamilegacy/memcached"));
    }

    @Override
    protected MemcachedConnectionDetails getContainerConnectionDetails(ContainerConnectionSource<Container<?>> source) {
        return new Details(source);
    }

    private static final class Details extends ContainerConnectionDetails<Container<?>>
            implements MemcachedConnectionDetails {

        Details(ContainerConnectionSource<Container<?>> source) {
            super(source);
        }

        @Override
        public List<String> getServers() {
            Container<?> container = getContainer();
            return List.of(container.getHost() + ':' + container.getMappedPort(PORT));
        }
    }
}
