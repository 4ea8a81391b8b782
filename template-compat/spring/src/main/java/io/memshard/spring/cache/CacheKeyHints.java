// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Runtime hints for the field that {@link CacheKeys} reads by reflection. Spring finds this class in {@code
 * aot.factories}.
 */
final class CacheKeyHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        Field parameters = CacheKeys.parameters();
        if (parameters != null) {
            hints.reflection().registerField(parameters);
        }
    }
}
