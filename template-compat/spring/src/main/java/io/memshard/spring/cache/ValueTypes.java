// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/** Types of the values that methods put into a cache. */
final class ValueTypes {

    private ValueTypes() {}

    /**
     * Returns the type of a method's result as Spring stores it: what an {@code Optional}, a future or a {@code Mono}
     * contains, and a list of what a {@code Flux} contains. Variables of a generic superclass are resolved. Returns
     * null if the declaration does not say the type, as {@code Object} and {@code List<?>}.
     */
    static @Nullable Type of(Method method, Class<?> target) {
        Type declared = GenericTypeResolver.resolveType(method.getGenericReturnType(), target);
        Type stored = contained(ResolvableType.forType(declared));
        ResolvableType known = ResolvableType.forType(stored);
        boolean isClass = stored instanceof Class<?> || stored instanceof ParameterizedType;
        return isClass && stored != Object.class && !known.hasUnresolvableGenerics() ? stored : null;
    }

    private static Type contained(ResolvableType declared) {
        Class<?> raw = declared.resolve(Object.class);
        if (CompletionStage.class.isAssignableFrom(raw)) {
            return unwrapped(declared.getGeneric());
        }
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(raw);
        if (adapter == null) {
            return unwrapped(declared);
        }
        ResolvableType element = declared.getGeneric();
        return adapter.isMultiValue() ? new ListOf(element.getType()) : unwrapped(element);
    }

    private static Type unwrapped(ResolvableType type) {
        if (type.resolve() == Optional.class) {
            return type.getGeneric().getType();
        }
        return type.getType() instanceof Class<?> simple
                ? ClassUtils.resolvePrimitiveIfNecessary(simple)
                : type.getType();
    }

    /** {@code List<element>}. */
    private record ListOf(Type element) implements ParameterizedType {

        @Override
        public Type[] getActualTypeArguments() {
            return new Type[] {element};
        }

        @Override
        public Type getRawType() {
            return List.class;
        }

        @Override
        public @Nullable Type getOwnerType() {
            return null;
        }

        @Override
        public String toString() {
            return List.class.getName() + '<' + element.getTypeName() + '>';
        }
    }
}
