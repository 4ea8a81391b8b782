// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.diagnostics;

import io.memshard.client.exception.MemcachedAuthenticationException;
import io.memshard.client.exception.MemcachedConnectionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Analyzer of failures to reach the servers while the application starts. */
final class ConnectionFailureAnalyzer extends AbstractFailureAnalyzer<MemcachedConnectionException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, MemcachedConnectionException cause) {
        boolean isRefused = cause instanceof MemcachedAuthenticationException
                || findCause(cause, MemcachedAuthenticationException.class) != null;
        return new FailureAnalysis(
                "The start waits for memcached, which is not ready:\n\n    " + cause.getMessage(),
                isRefused
                        ? "Set memcached.username and memcached.password to a user of the file that memcached -Y reads."
                        : "Start memcached (docker run -p 11211:11211 memcached), or correct memcached.servers or"
                                + " memcached.discovery. To start without memcached, remove memcached.await-ready:"
                                + " connections are then opened in the background.",
                cause);
    }
}
