// SPDX-License-Identifier: Apache-2.0
package io.memshard.template.spymemcached;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.exception.Phase;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.BiFunction;
import net.spy.memcached.MemcachedClient;
import net.spy.memcached.internal.OperationFuture;

/**
 * One command for each of many keys, under one deadline: spymemcached has no multi-set and no multi-delete. A limit on
 * commands in flight keeps spymemcached's queue from filling up.
 *
 * <p>Threading: confined to the calling thread.
 */
final class ManyKeys {

    private static final int MAX_IN_FLIGHT = 100;

    private final SpymemcachedConnection connection;
    private final String verb;
    private final BiFunction<MemcachedClient, String, OperationFuture<Boolean>> command;
    private final Duration timeout;
    private final long deadlineNanos;

    private final Queue<Sent> sent = new ArrayDeque<>();

    /** Keys for which the server executed the command. */
    final Set<String> done = new LinkedHashSet<>();

    /** Keys for which the server declined the command by a regular reply. */
    final Set<String> notDone = new LinkedHashSet<>();

    /** Keys for which the command failed. */
    final Map<String, MemcachedException> failures = new LinkedHashMap<>();

    private record Sent(String key, Call call, OperationFuture<Boolean> future) {}

    ManyKeys(
            SpymemcachedConnection connection,
            String verb,
            Duration timeout,
            BiFunction<MemcachedClient, String, OperationFuture<Boolean>> command) {
        this.connection = connection;
        this.verb = verb;
        this.command = command;
        this.timeout = timeout;
        this.deadlineNanos = System.nanoTime() + timeout.toNanos();
    }

    /** Sends the command for each of these keys, and waits for all replies. */
    ManyKeys run(Collection<String> keys) {
        for (String key : keys) {
            if (sent.size() == MAX_IN_FLIGHT) {
                complete(sent.remove());
            }
            send(key);
        }
        sent.forEach(this::complete);
        return this;
    }

    private void send(String key) {
        Call call = new Call(connection, verb, key, timeout);
        try {
            if (deadlineNanos - System.nanoTime() <= 0) {
                throw new MemcachedTimeoutException(
                        "the request timeout expired before this part of the operation on many keys was sent",
                        connection.context(verb, key, Phase.QUEUED),
                        null);
            }
            sent.add(new Sent(key, call, call.submit(spy -> command.apply(spy, key))));
        } catch (MemcachedException e) {
            failures.put(key, e);
        }
    }

    private void complete(Sent oldest) {
        try {
            boolean isDone = Boolean.TRUE.equals(
                    oldest.call.await(oldest.future, Math.max(0, deadlineNanos - System.nanoTime())));
            if (!isDone) {
                oldest.call.throwIfError(oldest.future.getStatus());
            }
            (isDone ? done : notDone).add(oldest.key);
        } catch (MemcachedException e) {
            failures.put(oldest.key, e);
        }
    }
}
