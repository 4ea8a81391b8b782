// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.env.Environment;

/**
 * Translates the properties of the starter of sixhours, {@code memcached.cache.servers} and others, into those of here.
 *
 * <p>Threading: confined to one thread.
 */
final class FormerNames {

    private static final String PREFIX = "memcached.cache.";
    private static final Bindable<List<String>> LIST = Bindable.listOf(String.class);
    private static final Bindable<Map<String, String>> MAP = Bindable.mapOf(String.class, String.class);

    /** Rings that spread keys as the strategies of these names do. Others have no effect here. */
    private static final Map<String, String> RINGS =
            Map.of("standard", "xmemcached", "libmemcached", "libmemcached-ketama", "ketama", "libmemcached-ketama");

    private final Binder binder;
    private final Map<String, Object> values = new LinkedHashMap<>();
    private final List<String> warnings = new ArrayList<>();

    private FormerNames(Environment environment) {
        binder = Binder.get(environment);
    }

    /** The translation of the former names in an environment. */
    static FormerNames of(Environment environment) {
        FormerNames names = new FormerNames(environment);
        names.translate();
        return names;
    }

    /** The properties of here, by their names, that the environment does not have itself. */
    Map<String, Object> values() {
        return values;
    }

    /** A sentence for each former name that is used. */
    List<String> warnings() {
        return warnings;
    }

    private void translate() {
        boolean isDiscovered = translateProvider();
        String servers = isDiscovered ? "memcached.discovery.endpoint" : "memcached.servers";
        list("servers").ifPresent(list -> put("servers", servers, String.join(",", list)));
        text("authentication.username", "memcached.username", Function.identity());
        text("authentication.password", "memcached.password", Function.identity());
        text("authentication.mechanism", null, mechanism -> mechanism);
        text("operation-timeout", "memcached.request-timeout", Function.identity());
        text("servers-refresh-interval", isDiscovered ? "memcached.discovery.period" : null, Function.identity());
        text("hash-strategy", "memcached.ring", FormerNames::ring);
        text("protocol", null, protocol -> protocol);
        text("expiration", "memcached.cache.time-to-live", FormerNames::timeToLive);
        text("prefix", "memcached.cache.key-prefix", prefix -> prefix + ':');
        binder.bind(PREFIX + "expiration-per-cache", MAP).ifBound(this::translateEachCache);
        list("disabled-cache-names")
                .ifPresent(names ->
                        put("disabled-cache-names", "memcached.cache.disabled-names", String.join(",", names)));
        list("metrics-cache-names").ifPresent(names -> {
            put("metrics-cache-names", "memcached.cache.names", String.join(",", names));
            values.put("memcached.cache.enable-statistics", "true");
        });
        if (!warnings.isEmpty()) {
            warnings.add("caches store classes of the application only if memcached.cache.serializer names them");
        }
    }

    private boolean translateProvider() {
        String provider = binder.bind(PREFIX + "provider", String.class).orElse("static");
        switch (provider.toLowerCase(Locale.ROOT)) {
            case "static" -> {
                text("provider", null, given -> given);
                return false;
            }
            case "aws" -> {
                put("provider", "memcached.discovery.type", "configuration-endpoint");
                return true;
            }
            default -> throw refused("provider", provider, "which no client over TCP reaches: write static or aws");
        }
    }

    private void translateEachCache(Map<String, String> byCache) {
        new TreeMap<>(byCache).forEach((cache, expiration) -> {
            String timeToLive = timeToLive(expiration);
            if (timeToLive != null) {
                put("expiration-per-cache." + cache, "memcached.cache.caches." + cache + ".time-to-live", timeToLive);
            }
        });
    }

    private Optional<List<String>> list(String former) {
        return Optional.ofNullable(binder.bind(PREFIX + former, LIST).orElse(null));
    }

    private void text(String former, @Nullable String name, Function<String, @Nullable String> translation) {
        String value = binder.bind(PREFIX + former, String.class).orElse(null);
        if (value == null) {
            return;
        }
        String translated = translation.apply(value);
        if (name == null || translated == null) {
            warnings.add(PREFIX + former + " has no effect here: leave it out");
        } else {
            put(former, name, translated);
        }
    }

    private void put(String former, String name, Object value) {
        warnings.add(PREFIX + former + " is the name of another starter: write " + name
                + (name.endsWith("password") ? "" : "=" + value));
        values.put(name, value);
    }

    /** Numbers without a unit are seconds there; zero is for ever, as no time to live is here. */
    private static @Nullable String timeToLive(String expiration) {
        long millis = DurationStyle.detect(expiration)
                .parse(expiration, ChronoUnit.SECONDS)
                .toMillis();
        return millis == 0 ? null : millis + "ms";
    }

    private static @Nullable String ring(String strategy) {
        return RINGS.get(strategy.toLowerCase(Locale.ROOT));
    }

    private static MemcachedPropertyException refused(String former, String value, String why) {
        return new MemcachedPropertyException(PREFIX + former, "is \"" + value + "\", " + why, null);
    }
}
