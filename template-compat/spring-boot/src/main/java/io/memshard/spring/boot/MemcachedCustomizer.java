// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import io.memshard.SettingsBuilder;

/**
 * Changes the settings of a client after its properties were applied. Beans of this type are called in their order, for
 * each client and each connection factory with connections of its own.
 *
 * <p>Threading: called while beans are made.
 */
@FunctionalInterface
public interface MemcachedCustomizer {

    /**
     * Changes the settings.
     *
     * @param client the prefix of the client's properties: {@code memcached}, or that of another client
     * @param settings the builder; its type says whether it is of a client or of a connection factory
     */
    void customize(String client, SettingsBuilder<?> settings);
}
