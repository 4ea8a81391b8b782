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
 * Translator of the properties of sixhours' {@code memcached-spring-boot-starter}, such as {@code
 * memcached.cache.servers}, into Memshard's.
 *
 * <p>Threading: confined to one thread.
 */
final class FormerNames {

    private static final String PREFIX = "memcached.cache.";
    private static final Bindable<List<String>> LIST = Bindable.listOf(String.class);
    private static final Bindable<Map<String, String>> MAP = Bindable.mapOf(String.class, String.class);

    /**
     * Memshard's rings, by the name of the former hash strategy that spreads keys alike. Other strategies have no
     * effect here.
     */
    private static final Map<String, String> RINGS =
            Map.of("standard", "xmemcached", "libmemcached", "libmemcached-ketama", "ketama", "libmemcached-ketama");

    private final Binder binder;
    private final Map<String, Object> values = new LinkedHashMap<>();
    private final List<String> warnings = new ArrayList<>();

    private FormerNames(Environment environment) {
        binder = Binder.get(environment);
    }

    /** Returns the translation of an environment's former names. */
    static FormerNames of(Environment environment) {
        FormerNames names = new FormerNames(environment);
        names.translate();
        return names;
    }

    /**
     * Returns the translated properties, by their new names. Properties that the environment itself sets take
     * precedence.
     */
    Map<String, Object> values() {
        return values;
    }

    /** Returns a sentence for each former name in use. */
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
            warnings.add("without Jackson, caches store classes of the application only if memcached.cache.serializer"
                    + " allows them");
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
            default -> throw refused("provider", provider, "which no client over TCP reaches: use static or aws");
        }
    }

    private void translateEachCache(Map<String, String> byCache) {
        new TreeMap<>(byCache).forEach((cache, expiration) -> {
            String timeToLive = timeToLive(expiration);
            if (timeToLive != null) {
                String name = cache.contains(".") ? '[' + cache + ']' : '.' + cache;
                put("expiration-per-cache." + cache, "memcached.cache.caches" + name + ".time-to-live", timeToLive);
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
            warnings.add(PREFIX + former + " has no effect here: remove it");
        } else {
            put(former, name, translated);
        }
    }

    private void put(String former, String name, Object value) {
        warnings.add(PREFIX + former + " is a property of another starter: use " + name
                + (name.endsWith("password") ? "" : "=" + value));
        values.put(name, value);
    }

    /**
     * Returns a time to live in milliseconds. In the former starter, numbers without a unit are seconds, and zero means
     * that entries never expire. That is the default here, so the result is null for zero.
     */
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
