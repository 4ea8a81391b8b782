// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import io.memshard.SettingsBuilder;

/**
 * Callback that changes the settings of a client after its properties were applied. Beans of this type are called in
 * the order of {@code @Order}, for each client and for each connection factory that has its own connections.
 *
 * <p>Threading: called while beans are created.
 */
@FunctionalInterface
public interface MemcachedCustomizer {

    /**
     * Changes the settings.
     *
     * @param client prefix of the client's properties, such as {@code memcached}
     * @param settings builder of a client, or of a connection factory
     */
    void customize(String client, SettingsBuilder<?> settings);
}
