// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;

final class ValueTypes {

    private ValueTypes() {}

    /** Returns the type of a method's cached values; null if this type does not determine the class of a value. */
    static @Nullable Type of(Method method, Class<?> target) {
        Type declared = method.getGenericReturnType();
        if (KotlinDetector.isSuspendingFunction(method)) { // The compiler moves its type to Continuation<? super T>.
            Type[] parameters = method.getGenericParameterTypes();
            Type result = ResolvableType.forType(parameters[parameters.length - 1])
                    .getGeneric()
                    .getType();
            declared = result instanceof WildcardType wildcard ? wildcard.getLowerBounds()[0] : result;
        }
        Type stored = contained(ResolvableType.forType(GenericTypeResolver.resolveType(declared, target)));
        return isSaid(stored) ? stored : null;
    }

    /** Returns whether {@code type} determines the class of its values. */
    static boolean isSaid(Type type) {
        if (type instanceof Class<?> simple) {
            return simple.isArray()
                    ? isSaid(simple.getComponentType())
                    : simple.getTypeParameters().length == 0
                            && simple != Object.class
                            && simple != void.class
                            && simple != Void.class
                            && isReadable(simple);
        }
        if (type instanceof ParameterizedType generic) {
            Class<?> raw = (Class<?>) generic.getRawType();
            return (isContainer(raw) || (!raw.getName().startsWith("java.") && isReadable(raw)))
                    && Stream.of(generic.getActualTypeArguments()).allMatch(ValueTypes::isSaid);
        }
        if (type instanceof WildcardType wildcard) {
            return isSaid(wildcard.getUpperBounds()[0]);
        }
        return type instanceof GenericArrayType array && isSaid(array.getGenericComponentType());
    }

    private static boolean isReadable(Class<?> type) {
        return type.isPrimitive() || type.isEnum() || !Modifier.isAbstract(type.getModifiers()) || namesClasses(type);
    }

    private static boolean isContainer(Class<?> type) {
        return Collection.class.isAssignableFrom(type)
                || Map.class.isAssignableFrom(type)
                || type == Optional.class
                || type == Map.Entry.class;
    }

    private static boolean namesClasses(Class<?> type) {
        return MergedAnnotations.from(type, MergedAnnotations.SearchStrategy.TYPE_HIERARCHY)
                .isPresent("com.fasterxml.jackson.annotation.JsonTypeInfo");
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
        return adapter.isMultiValue() ? listOf(element) : unwrapped(element);
    }

    private static Type unwrapped(ResolvableType type) {
        if (type.resolve() == Optional.class) {
            return unwrapped(type.getGeneric());
        }
        if (type.resolve() == Iterable.class) {
            return listOf(type.getGeneric());
        }
        return type.getType() instanceof Class<?> simple
                ? ClassUtils.resolvePrimitiveIfNecessary(simple)
                : type.getType();
    }

    private static Type listOf(ResolvableType element) {
        return ResolvableType.forClassWithGenerics(List.class, element).getType();
    }
}
