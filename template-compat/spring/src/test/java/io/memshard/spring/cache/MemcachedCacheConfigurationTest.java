// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.load.LoadOptions;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.support.GenericConversionService;

class MemcachedCacheConfigurationTest {

    private static final MemcachedCacheConfiguration DEFAULTS = MemcachedCacheConfiguration.defaultCacheConfig();

    private static final TtlFunction TTL = TtlFunction.just(Duration.ofHours(1));
    private static final UnaryOperator<String> PREFIX = name -> name + '/';
    private static final Transcoder<String> VALUES = Transcoder.utf8();
    private static final ConversionService CONVERSION = new GenericConversionService();
    private static final LoadOptions LOAD = LoadOptions.DEFAULTS.withServesStale(false);

    /** A setting: what changes it, what reads it, and what is read then. */
    private record Setting(
            UnaryOperator<MemcachedCacheConfiguration> change,
            Function<MemcachedCacheConfiguration, Object> value,
            Object changed) {}

    private static final List<Setting> SETTINGS = List.of(
            new Setting(each -> each.entryTtl(TTL), MemcachedCacheConfiguration::ttlFunction, TTL),
            new Setting(
                    MemcachedCacheConfiguration::disableCachingNullValues,
                    MemcachedCacheConfiguration::cachesNullValues,
                    false),
            new Setting(each -> each.computePrefixWith(PREFIX), MemcachedCacheConfiguration::keyPrefix, PREFIX),
            new Setting(each -> each.serializeValuesWith(VALUES), MemcachedCacheConfiguration::values, VALUES),
            new Setting(
                    MemcachedCacheConfiguration::enableTimeToIdle,
                    MemcachedCacheConfiguration::isTimeToIdleEnabled,
                    true),
            new Setting(
                    each -> each.withConversionService(CONVERSION),
                    MemcachedCacheConfiguration::conversionService,
                    CONVERSION),
            new Setting(each -> each.withLoadOptions(LOAD), MemcachedCacheConfiguration::loadOptions, LOAD),
            new Setting(
                    each -> each.withPropagatedFailures(true), MemcachedCacheConfiguration::propagatesFailures, true));

    private static List<Object> valuesOf(MemcachedCacheConfiguration configuration) {
        return SETTINGS.stream().map(each -> each.value.apply(configuration)).toList();
    }

    @Test
    void eachMethodChangesItsSettingAloneAndInACopy() {
        List<Object> before = valuesOf(DEFAULTS);
        for (int i = 0; i < SETTINGS.size(); i++) {
            List<Object> expected = new ArrayList<>(before);
            expected.set(i, SETTINGS.get(i).changed);

            assertThat(expected).isNotEqualTo(before);
            assertThat(valuesOf(SETTINGS.get(i).change.apply(DEFAULTS))).isEqualTo(expected);
        }
        assertThat(valuesOf(DEFAULTS)).isEqualTo(before);
    }
}
