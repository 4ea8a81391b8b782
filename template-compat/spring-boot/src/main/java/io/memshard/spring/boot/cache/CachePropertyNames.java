// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.cache;

import io.memshard.spring.boot.MemcachedPropertyException;
import io.memshard.spring.boot.cache.MemcachedCacheProperties.OneCache;
import java.util.List;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.env.Environment;

/**
 * Names of the properties of single caches. Without a check, a cache with a wrong name would silently have the settings
 * of all caches.
 */
final class CachePropertyNames {

    private static final ConfigurationPropertyName CACHES = ConfigurationPropertyName.of("memcached.cache.caches");

    static final List<String> OF_ONE_CACHE = List.of(
            "time-to-live",
            "time-to-idle",
            "cache-null-values",
            "propagate-failures",
            "serializer.type",
            "serializer.json-type",
            "serializer.allowed-classes");

    private CachePropertyNames() {}

    /**
     * Checks the names that the environment sets.
     *
     * @throws MemcachedPropertyException if a name is wrong
     */
    static void check(Environment environment) {
        try {
            Binder.get(environment)
                    .bind(
                            CACHES,
                            Bindable.mapOf(String.class, OneCache.class),
                            new NoUnboundElementsBindHandler(BindHandler.DEFAULT, new UnboundElementsSourceFilter()));
        } catch (BindException e) {
            if (e.getCause() instanceof UnboundConfigurationPropertiesException unbound) {
                throw rejected(unbound.getUnboundProperties().iterator().next().getName());
            }
            throw e;
        }
    }

    private static MemcachedPropertyException rejected(ConfigurationPropertyName wrong) {
        int name = CACHES.getNumberOfElements();
        String key = wrong.subName(name + 1).toString();
        for (String known : OF_ONE_CACHE) {
            if (key.endsWith('.' + known)) {
                String cache = wrong.subName(name).toString();
                String dotted = cache.substring(0, cache.length() - known.length() - 1);
                return rejected(wrong, CACHES + "[" + dotted + "]." + known + ", as the cache's name has a dot");
            }
        }
        return rejected(wrong, "one of " + String.join(", ", OF_ONE_CACHE));
    }

    /** Returns a failure without a cause, because an analyzer of Spring Boot would describe the cause instead. */
    private static MemcachedPropertyException rejected(ConfigurationPropertyName wrong, String right) {
        return new MemcachedPropertyException(wrong.toString(), "is not a property of a cache: write " + right, null);
    }
}
