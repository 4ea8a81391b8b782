// SPDX-License-Identifier: Apache-2.0
package io.memshard.template.spymemcached;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.client.exception.MemcachedProtocolException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.exception.Phase;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Function;
import net.spy.memcached.MemcachedClient;
import net.spy.memcached.internal.CheckedOperationTimeoutException;
import net.spy.memcached.internal.OperationCompletionListener;
import net.spy.memcached.internal.OperationFuture;
import net.spy.memcached.ops.Operation;
import net.spy.memcached.ops.OperationErrorType;
import net.spy.memcached.ops.OperationException;
import net.spy.memcached.ops.OperationState;
import net.spy.memcached.ops.OperationStatus;
import net.spy.memcached.ops.StatusCode;
import org.jspecify.annotations.Nullable;

record Call(
        SpymemcachedConnection connection,
        String verb,
        @Nullable String key,
        Duration timeout) {

    <F> F submit(Function<MemcachedClient, F> command) {
        if (!connection.isReady()) {
            throw new MemcachedConnectionException(
                    connection.spy().getConnection().isShutDown()
                            ? "the connection was closed by this client"
                            : "the connection is lost; spymemcached is reconnecting",
                    at(Phase.QUEUED),
                    null);
        }
        try {
            return command.apply(connection.spy());
        } catch (IllegalStateException e) {
            throw refusedUnsent(e);
        }
    }

    private MemcachedException refusedUnsent(IllegalStateException e) {
        if (Thread.currentThread().isInterrupted()) {
            return new MemcachedInterruptedException("interrupted before the command was sent", at(Phase.QUEUED), e);
        }
        if (connection.spy().getConnection().isShutDown()) {
            return new MemcachedConnectionException("the connection was closed by this client", at(Phase.QUEUED), e);
        }
        return new MemcachedOverloadException(
                "spymemcached's queue is full: use fewer concurrent callers or more connections", at(Phase.QUEUED), e);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // addListener returns the same future.
    <R, T extends @Nullable Object> Sent<R, T> send(
            Function<MemcachedClient, OperationFuture<R>> command, BiFunction<@Nullable R, OperationStatus, T> read) {
        OperationFuture<R> future = submit(command);
        return new Sent<>(
                this,
                future,
                done -> future.addListener((OperationCompletionListener) completed -> done.run()),
                value -> {
                    throwIfError(future.getStatus());
                    return read.apply(value, future.getStatus());
                });
    }

    <T> @Nullable T await(Future<T> future) {
        return await(future, timeout.toNanos());
    }

    <T> @Nullable T await(Future<T> future, long timeoutNanos) {
        try {
            return future.get(timeoutNanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MemcachedInterruptedException(
                    "interrupted while waiting for the reply", at(Phase.AWAITING_REPLY), e);
        } catch (TimeoutException e) {
            throw timedOut(e);
        } catch (ExecutionException e) {
            throw failed(e.getCause() == null ? e : e.getCause());
        }
    }

    private MemcachedException timedOut(Exception e) {
        return new MemcachedTimeoutException(
                "no reply within " + timeout.toMillis() + " ms, " + connection.inFlight() + " commands in flight",
                at(phase(e)),
                e);
    }

    private static Phase phase(Exception timeout) {
        if (timeout instanceof CheckedOperationTimeoutException spyTimeout) {
            for (Operation operation : spyTimeout.getOperations()) {
                if (operation.getState() == OperationState.WRITE_QUEUED) {
                    return Phase.QUEUED;
                }
                if (operation.getState() == OperationState.WRITING) {
                    return Phase.WRITTEN;
                }
            }
        }
        return Phase.AWAITING_REPLY;
    }

    private MemcachedException failed(Throwable cause) {
        if (cause instanceof TimeoutException timeout) {
            return timedOut(timeout);
        }
        if (cause instanceof OperationException error) {
            return error.getType() == OperationErrorType.GENERAL
                    ? new MemcachedServerException("the server answered ERROR", at(Phase.REPLIED), error)
                    : serverError(String.valueOf(error.getMessage()), error);
        }
        if (cause instanceof CancellationException) {
            // spymemcached cancelled the command and does not say whether it was sent.
            return new MemcachedConnectionException(
                    "the connection was lost or closed", at(Phase.AWAITING_REPLY), cause);
        }
        return new MemcachedProtocolException("spymemcached failed: " + cause, at(Phase.AWAITING_REPLY), cause);
    }

    void throwIfError(OperationStatus status) {
        if (status.isSuccess()) {
            return;
        }
        StatusCode code = status.getStatusCode();
        if (code == StatusCode.ERR_NOT_FOUND || code == StatusCode.ERR_EXISTS || code == StatusCode.ERR_NOT_STORED) {
            return;
        }
        if (code == StatusCode.ERR_2BIG) {
            throw tooLarge(status.getMessage(), null);
        }
        throw serverError(status.getMessage(), null);
    }

    private MemcachedException serverError(String text, @Nullable Throwable cause) {
        String lower = text.toLowerCase(Locale.ROOT);
        return lower.contains("too large")
                ? tooLarge(text, cause)
                : new MemcachedServerException("the server answered " + text, at(Phase.REPLIED), cause);
    }

    private MemcachedException tooLarge(String text, @Nullable Throwable cause) {
        return new MemcachedValueTooLargeException(
                "the value exceeds the server's item size limit (memcached -I): " + text, at(Phase.REPLIED), cause);
    }

    private CommandContext at(Phase phase) {
        return connection.context(verb, key, phase);
    }
}
