// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import io.memshard.client.options.Credentials;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/**
 * How the servers are reached: by properties, or by a container that was started for this application. Those of a
 * container take the place of servers, discovery, credentials and TLS of the properties.
 *
 * <p>Threading: asked while beans are made.
 */
public interface MemcachedConnectionDetails extends ConnectionDetails {

    /** The servers, as {@code memcached.servers} takes them; at least one. */
    List<String> getServers();

    /** User and password; null for none. */
    default @Nullable Credentials getCredentials() {
        return null;
    }

    /** What to trust and to show over TLS; null for plain text. */
    default @Nullable SslBundle getSslBundle() {
        return null;
    }
}
