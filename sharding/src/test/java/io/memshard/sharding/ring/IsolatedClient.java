// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
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
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/** A client derived from spymemcached, in a class loader of its own, because its classes have the same names. */
final class IsolatedClient {

    private final ClassLoader loader;

    /** @param folder of {@code target/rings}, where the build puts the jars of the client */
    IsolatedClient(String folder) {
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

    Class<?> type(String name) {
        try {
            return loader.loadClass(name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    Object ketamaHash() throws ReflectiveOperationException {
        return type("net.spy.memcached.DefaultHashAlgorithm")
                .getField("KETAMA_HASH")
                .get(null);
    }

    /** The nodes at these addresses. */
    List<Object> nodes(List<InetSocketAddress> addresses) {
        Class<?> type = type("net.spy.memcached.MemcachedNode");
        List<Object> nodes = new ArrayList<>();
        for (InetSocketAddress address : addresses) {
            InvocationHandler node = (proxy, method, arguments) -> switch (method.getName()) {
                case "getSocketAddress" -> address;
                case "hashCode" -> System.identityHashCode(proxy);
                case "equals" -> proxy == arguments[0];
                case "toString" -> "node " + address;
                default -> throw new UnsupportedOperationException(method.toString());
            };
            nodes.add(Proxy.newProxyInstance(loader, new Class<?>[] {type}, node));
        }
        return nodes;
    }

    /** The index of the node that a locator gives a key. */
    ToIntFunction<String> index(List<Object> nodes, Object locator) throws ReflectiveOperationException {
        Map<Object, Integer> indexes = new HashMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            indexes.put(nodes.get(i), i);
        }
        Method getPrimary = locator.getClass().getMethod("getPrimary", String.class);
        return key -> {
            try {
                return indexes.get(getPrimary.invoke(locator, key));
            } catch (IllegalAccessException | InvocationTargetException e) {
                throw new AssertionError(e);
            }
        };
    }
}
