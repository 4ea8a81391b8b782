// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import java.util.List;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * Details of the connection to the servers, from properties or from a container that was started for this application.
 * The details of a container replace the properties for servers, discovery, credentials and TLS.
 *
 * <p>Threading: called while beans are created.
 */
public interface MemcachedConnectionDetails extends ConnectionDetails {

    /** Returns at least one server, in the format of {@code memcached.servers}. */
    List<String> getServers();
}
