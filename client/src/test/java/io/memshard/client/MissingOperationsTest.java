// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.memshard.client.exception.MemcachedUnsupportedException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client implements the interface of what it can: no method of an interface refuses by default. */
class MissingOperationsTest {

    /** A client of nothing but the interface's own methods. */
    private static final InvocationHandler DEFAULTS = InvocationHandler::invokeDefault;

    @ParameterizedTest
    @ValueSource(classes = {MemcachedClient.class, AsyncMemcachedClient.class})
    void noMethodRefusesByDefault(Class<?> api) {
        Object client = Proxy.newProxyInstance(api.getClassLoader(), new Class<?>[] {api}, DEFAULTS);
        assertThat(Arrays.stream(api.getMethods())
                        .filter(Method::isDefault)
                        .map(method -> catchThrowable(() -> DEFAULTS.invoke(client, method, nothing(method)))))
                .isNotEmpty()
                .doesNotHaveAnyElementsOfTypes(
                        MemcachedUnsupportedException.class, UnsupportedOperationException.class);
    }

    private static Object[] nothing(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .map(type -> type == long.class ? (Object) 0L : null)
                .toArray();
    }
}
