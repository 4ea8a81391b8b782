// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import java.util.List;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * Details of the connection to the servers, from properties or from a container that was started for this application.
 * A container's details replace servers, discovery, credentials and TLS of the properties.
 *
 * <p>Threading: called while beans are created.
 */
public interface MemcachedConnectionDetails extends ConnectionDetails {

    /** Returns the servers, in the format of {@code memcached.servers}; at least one. */
    List<String> getServers();
}
