// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import io.memshard.client.options.Credentials;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.util.ClassUtils;

/** Details of the connection to the servers, from the properties. */
final class PropertiesMemcachedConnectionDetails implements MemcachedConnectionDetails {

    /** Servers of an application under test that names none. */
    private static final List<String> LOCAL = List.of("localhost:11211");

    private static final String TEST = "org.springframework.boot.test.context.SpringBootTest";

    private final String client;
    private final MemcachedProperties properties;
    private final @Nullable SslBundles bundles;

    PropertiesMemcachedConnectionDetails(String client, MemcachedProperties properties, @Nullable SslBundles bundles) {
        this.client = client;
        this.properties = properties;
        this.bundles = bundles;
    }

    @Override
    public List<String> getServers() {
        return Objects.requireNonNullElse(properties.servers(), LOCAL);
    }

    /**
     * Checks that the servers are set, unless Spring Boot's support for tests is there.
     *
     * @throws MemcachedPropertyException if they are not
     */
    void needServers() {
        if (properties.servers() == null && !ClassUtils.isPresent(TEST, null)) {
            throw new MemcachedPropertyException(
                    client + ".servers",
                    "is not set: name the servers, as in cache-1:11211, cache-2:11211, or set " + client
                            + ".discovery.type",
                    null);
        }
    }

    @Override
    public @Nullable Credentials getCredentials() {
        String user = properties.username();
        String password = properties.password();
        if (user == null && password == null) {
            return null;
        }
        if (user == null || password == null) {
            throw new MemcachedPropertyException(
                    client + (user == null ? ".username" : ".password"),
                    "is not set, but its counterpart is: set both username and password, or neither",
                    null);
        }
        return Settings.reading(client + ".username", user, value -> new Credentials(value, password));
    }

    @Override
    public @Nullable SslBundle getSslBundle() {
        String name = properties.ssl().bundle();
        if (name == null || !properties.ssl().isRequested()) {
            return null;
        }
        if (bundles == null) {
            throw new MemcachedPropertyException(
                    client + ".ssl.bundle", "is \"" + name + "\", but spring.ssl.bundle defines none", null);
        }
        return bundles.getBundle(name);
    }
}
