package io.memshard.testkit;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * JUnit extension of {@link MemcachedTest}. It starts the server before the first class that needs one, prints which it
 * is, and closes it after the last test of the JVM.
 *
 * <p>{@code Failure}: where {@link ServerLadder} finds nothing, the test class fails with its message.
 */
public final class MemcachedExtension implements BeforeAllCallback, ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(MemcachedExtension.class);

    /** Called by JUnit. */
    public MemcachedExtension() {}

    @Override
    public void beforeAll(ExtensionContext context) {
        server(context);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == MemcachedServer.class || type == InetSocketAddress.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        MemcachedServer server = server(context);
        return parameter.getParameter().getType() == MemcachedServer.class ? server : server.address();
    }

    private static MemcachedServer server(ExtensionContext context) {
        // In the root store: one for the JVM; the store closes what is AutoCloseable.
        return context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(MemcachedServer.class, key -> find(), MemcachedServer.class);
    }

    private static MemcachedServer find() {
        ServerLadder.Found found = ServerLadder.find();
        System.out.println(found.report());
        return found.server();
    }
}
