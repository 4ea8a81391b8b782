// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import io.memshard.client.listener.ConnectionListener;
import org.jspecify.annotations.Nullable;

/**
 * Gives each client a listener of its own, such as one that counts under the name of the client. A {@link
 * ConnectionListener} that is a bean is added to all clients.
 *
 * <p>Threading: called while beans are made.
 */
@FunctionalInterface
public interface MemcachedListenerProvider {

    /**
     * The listener of a client.
     *
     * @param client the prefix of the client's properties
     * @param properties its properties
     * @return null for none
     */
    @Nullable
    ConnectionListener listenerOf(String client, MemcachedProperties properties);
}
