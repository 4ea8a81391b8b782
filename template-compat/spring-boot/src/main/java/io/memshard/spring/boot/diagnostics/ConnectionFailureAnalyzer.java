// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.diagnostics;

import io.memshard.client.exception.MemcachedAuthenticationException;
import io.memshard.client.exception.MemcachedConnectionException;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Analyzer of failures to reach the servers while the application starts. The start itself waits only if a property
 * requires it. Otherwise a bean or a runner of the application has called memcached.
 */
final class ConnectionFailureAnalyzer extends AbstractFailureAnalyzer<MemcachedConnectionException> {

    /** Prefixes of packages that contain no code of the application. */
    private static final List<String> LIBRARIES = List.of("java.", "jdk.", "io.memshard.", "org.springframework.");

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, MemcachedConnectionException cause) {
        boolean isWaiting = cause.context() == null;
        boolean isRefused = cause instanceof MemcachedAuthenticationException
                || findCause(cause, MemcachedAuthenticationException.class) != null;
        return new FailureAnalysis(
                (isWaiting ? "The start waits for memcached, which is not ready" : calling(rootFailure)) + ":\n\n    "
                        + cause.getMessage(),
                isRefused
                        ? "Set memcached.username and memcached.password to a user of the file that memcached -Y reads."
                        : "Start memcached (docker run -p 11211:11211 memcached), or correct memcached.servers or"
                                + " memcached.discovery. To start without memcached, "
                                + (isWaiting
                                        ? "remove memcached.await-ready: connections are then opened in the background."
                                        : "catch MemcachedException at this call."),
                cause);
    }

    /** Names the innermost frame of the application's own code, and the innermost bean. */
    private static String calling(Throwable rootFailure) {
        StackTraceElement caller = null;
        String bean = null;
        for (Throwable each = rootFailure; each != null; each = each.getCause()) {
            caller = Stream.of(each.getStackTrace())
                    .filter(ConnectionFailureAnalyzer::isOfApplication)
                    .findFirst()
                    .orElse(caller);
            bean = each instanceof BeanCreationException creation ? creation.getBeanName() : bean;
        }
        return "A call of memcached failed"
                + (caller == null ? "" : " in " + caller)
                + (bean == null ? "" : " while bean \"" + bean + "\" was created");
    }

    private static boolean isOfApplication(StackTraceElement frame) {
        return LIBRARIES.stream().noneMatch(frame.getClassName()::startsWith);
    }
}
