// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * JUnit extension of {@link MemcachedTest}, for JUnit 5.11 and later. Before the first class that needs a server, the
 * extension starts the server and prints its description. After the last test of the JVM, the extension closes the
 * server. If a class requests an embedded server, that server exists for this class only.
 *
 * <p>Failure: if {@link ServerLadder} finds no server, the test class fails with the message of the search.
 */
public final class MemcachedExtension implements BeforeAllCallback, BeforeEachCallback, ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(MemcachedExtension.class);

    public MemcachedExtension() {}

    @Override
    public void beforeAll(ExtensionContext context) {
        found(context);
    }

    @Override
    public void beforeEach(ExtensionContext context) throws IOException {
        ServerLadder.Found found = found(context);
        if (found.rung() != ServerLadder.Rung.ADDRESS) {
            VersionProbe.flushAll(found.server());
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == MemcachedServer.class || type == InetSocketAddress.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        MemcachedServer server = found(context).server();
        return parameter.getParameter().getType() == MemcachedServer.class ? server : server.address();
    }

    @SuppressWarnings("deprecation") // JUnit 5.11 lacks the replacement in JUnit 6.
    private static ServerLadder.Found found(ExtensionContext context) {
        ServerChoice choice = choice(context.getTestClass());
        ExtensionContext owner = choice == ServerChoice.EMBEDDED ? context : context.getRoot();
        Running running =
                owner.getStore(NAMESPACE).getOrComputeIfAbsent(choice, MemcachedExtension::find, Running.class);
        return Objects.requireNonNull(running, "JUnit's store has no server").found;
    }

    private static ServerChoice choice(Optional<Class<?>> testClass) {
        for (Class<?> each = testClass.orElse(null); each != null; each = each.getEnclosingClass()) {
            MemcachedTest annotation = each.getAnnotation(MemcachedTest.class);
            if (annotation != null) {
                return annotation.value();
            }
        }
        return ServerChoice.AUTO;
    }

    private static Running find(ServerChoice choice) {
        ServerLadder.Found found = ServerLadder.find(choice);
        System.out.println(found.report());
        return new Running(found);
    }

    /** Server that JUnit's store closes: before JUnit 5.13 as a CloseableResource, later as an AutoCloseable. */
    @SuppressWarnings("deprecation") // See above.
    private record Running(ServerLadder.Found found) implements Store.CloseableResource, AutoCloseable {

        @Override
        public void close() {
            found.server().close();
        }
    }
}
