// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import io.memshard.client.options.Credentials;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/**
 * Details of the connection to the servers, from properties or from a container that was started for this application.
 * A container's details replace servers, discovery, credentials and TLS of the properties.
 *
 * <p>Threading: called while beans are created.
 */
public interface MemcachedConnectionDetails extends ConnectionDetails {

    /** Returns the servers, in the format of {@code memcached.servers}; at least one. */
    List<String> getServers();

    /** Returns user and password, or null if the servers require no authentication. */
    default @Nullable Credentials getCredentials() {
        return null;
    }

    /** Returns the certificates to trust and to present over TLS, or null if the servers use no TLS. */
    default @Nullable SslBundle getSslBundle() {
        return null;
    }
}
