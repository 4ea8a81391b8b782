// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** What the stub's metadata answers, which pools ask once a connection: no, none and "stub". Threading: stateless. */
final class Answers {

    private Answers() {}

    static @Nullable Object of(Method method) {
        Class<?> type = method.getReturnType();
        if (type == boolean.class) {
            return false;
        }
        if (type == int.class) {
            return 0;
        }
        if (type == long.class) {
            return 0L;
        }
        return type == String.class ? "stub" : null;
    }
}
