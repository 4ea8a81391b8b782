// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import io.memshard.client.exception.MemcachedAuthenticationException;
import io.memshard.client.exception.MemcachedConnectionException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

final class MemcachedFailureAnalyzer implements FailureAnalyzer {

    private static final List<String> LIBRARIES = List.of("java.", "jdk.", "io.memshard.", "org.springframework.");

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof MemcachedConnectionException unreachable) {
                return ofServers(failure, unreachable);
            }
            if (each instanceof MemcachedPropertyException wrong) {
                return new FailureAnalysis(
                        "Cannot create a memcached client:\n\n    " + wrong.getMessage(),
                        wrong.getCause() instanceof IllegalStateException
                                ? "Add the library to the dependencies of the application, or change "
                                        + wrong.property() + "."
                                : "Change " + wrong.property() + " as described above.",
                        wrong);
            }
        }
        return null;
    }

    private static FailureAnalysis ofServers(Throwable failure, MemcachedConnectionException cause) {
        boolean isWaiting = cause.context() == null;
        return new FailureAnalysis(
                (isWaiting ? "The start waits for memcached, which is not ready" : calling(failure)) + ":\n\n    "
                        + cause.getMessage(),
                isRefused(cause)
                        ? "Set memcached.username and memcached.password to a user in the file that memcached -Y reads."
                        : "Start memcached (docker run -p 11211:11211 memcached), or correct memcached.servers or"
                                + " memcached.discovery. To start without memcached, "
                                + (isWaiting
                                        ? "remove memcached.await-ready: connections are then opened in the background."
                                        : "catch MemcachedException at this call."),
                cause);
    }

    private static boolean isRefused(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof MemcachedAuthenticationException || (cause != null && isRefused(cause));
    }

    private static String calling(Throwable failure) {
        StackTraceElement caller = null;
        for (Throwable each = failure; each != null; each = each.getCause()) {
            caller = Stream.of(each.getStackTrace())
                    .filter(frame -> LIBRARIES.stream().noneMatch(frame.getClassName()::startsWith))
                    .findFirst()
                    .orElse(caller);
        }
        return "A call of memcached failed" + (caller == null ? "" : " in " + caller);
    }
}
