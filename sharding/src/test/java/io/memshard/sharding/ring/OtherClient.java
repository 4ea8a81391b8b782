// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** spymemcached, or a client derived from it in a class loader of its own, because its classes have the same names. */
final class OtherClient {

    private final ClassLoader loader;

    /** Makes spymemcached. */
    OtherClient() {
        loader = ClassLoader.getSystemClassLoader();
    }

    /** @param folder of {@code target/rings}, where the build puts the jars of the client */
    OtherClient(String folder) {
        Path path = Path.of("target", "rings", folder);
        try (Stream<Path> jars = Files.list(path)) {
            List<URL> urls = new ArrayList<>();
            for (Path jar : jars.toList()) {
                urls.add(jar.toUri().toURL());
            }
            loader = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        } catch (IOException e) {
            throw new UncheckedIOException("no jars in " + path + ": run mvn generate-test-resources", e);
        }
    }

    /** Steps of reflection, whose failure is one of the test. */
    private interface Step<T> {
        T take() throws ReflectiveOperationException;
    }

    private static <T> T taken(Step<T> step) {
        try {
            return step.take();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    Class<?> type(String name) {
        return taken(() -> loader.loadClass(name));
    }

    /** An object by the constructor that takes these arguments. */
    Object made(String type, @Nullable Object... arguments) {
        Constructor<?> constructor = Stream.of(type(type).getConstructors())
                .filter(each -> each.getParameterCount() == arguments.length)
                .findFirst()
                .orElseThrow();
        return taken(() -> constructor.newInstance(arguments));
    }

    static Object called(Object object, String method) {
        return taken(() -> object.getClass().getMethod(method).invoke(object));
    }

    /** An object that no constructor ran for, because it would connect and start threads. */
    static <T> T blank(Class<T> type) {
        return taken(() -> {
            Class<?> unsafe = Class.forName("sun.misc.Unsafe");
            Field only = unsafe.getDeclaredField("theUnsafe");
            only.setAccessible(true);
            return type.cast(unsafe.getMethod("allocateInstance", Class.class).invoke(only.get(null), type));
        });
    }

    static void set(Object object, String field, Object value) {
        taken(() -> {
            Field found = object.getClass().getDeclaredField(field);
            found.setAccessible(true);
            found.set(object, value);
            return value;
        });
    }

    /** An object whose methods of these names return these values. */
    static <T> T proxy(Class<T> type, Map<String, Object> values) {
        InvocationHandler handler = (proxy, method, arguments) -> switch (method.getName()) {
            case "hashCode" -> System.identityHashCode(proxy);
            case "equals" -> proxy == arguments[0];
            case "toString" -> values.toString();
            default -> Objects.requireNonNull(values.get(method.getName()), method::toString);
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    Object ketamaHash() {
        return taken(() -> type("net.spy.memcached.DefaultHashAlgorithm")
                .getField("KETAMA_HASH")
                .get(null));
    }

    /** The nodes at these addresses. */
    List<Object> nodes(List<InetSocketAddress> addresses) {
        Class<?> node = type("net.spy.memcached.MemcachedNode");
        List<Object> nodes = new ArrayList<>();
        addresses.forEach(address -> nodes.add(proxy(node, Map.of("getSocketAddress", address))));
        return nodes;
    }

    /** The index of the node that a locator gives a key. */
    ToIntFunction<String> index(List<Object> nodes, Object locator) {
        Map<Object, Integer> indexes = new HashMap<>();
        nodes.forEach(node -> indexes.put(node, indexes.size()));
        Method getPrimary = taken(() -> locator.getClass().getMethod("getPrimary", String.class));
        return key -> indexes.get(taken(() -> getPrimary.invoke(locator, key)));
    }
}
