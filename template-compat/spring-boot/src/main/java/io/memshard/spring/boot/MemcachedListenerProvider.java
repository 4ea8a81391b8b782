// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import io.memshard.client.listener.ConnectionListener;
import org.jspecify.annotations.Nullable;

/**
 * Provider of a separate listener for each client, such as a listener that counts under the client's name. To add the
 * same listener to all clients, define a {@link ConnectionListener} bean instead.
 *
 * <p>Threading: called while beans are created.
 */
@FunctionalInterface
public interface MemcachedListenerProvider {

    /**
     * Returns the listener of a client.
     *
     * @param client prefix of the client's properties
     * @param properties properties of the client
     * @return the listener, or null if this provider has no listener for the client
     */
    @Nullable
    ConnectionListener listenerOf(String client, MemcachedProperties properties);
}
