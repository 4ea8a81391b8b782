// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.listener;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.options.ServerAddress;
import org.jspecify.annotations.Nullable;

/**
 * Outcome of a command. Each attempt of a retried command, and each part of a large operation, counts as a command.
 * Threading: immutable.
 *
 * @param operation the operation of the API that sent the command, such as {@code getOrLoad} or {@code meta.get}; the
 *     verb if no operation sent the command
 * @param verb the verb in memcached's protocol, such as {@code mg}
 * @param key the command's key as text, or the first of several keys; null for a command without a key
 * @param keys number of keys in the command
 * @param hits number of keys with a value; 0 if the command failed, -1 if the command requested no values
 * @param server the server, as configured
 * @param connectionIndex position of the connection among the connections to its server, from 0
 * @param socket {@code event loop} for a socket of asynchronous calls and virtual threads, if other calls use separate
 *     sockets; null otherwise
 * @param durationNanos time from the call until the caller had the result, in nanoseconds
 * @param failure the failure of the command; null if the command succeeded
 */
public record CommandEnd(
        String operation,
        String verb,
        @Nullable String key,
        int keys,
        int hits,
        ServerAddress server,
        int connectionIndex,
        @Nullable String socket,
        long durationNanos,
        @Nullable MemcachedException failure) {

    /** Shows all components except the key, because the client may be set to hide keys. */
    @Override
    public String toString() {
        return operation + " (" + verb + ") of " + keys + " keys, " + hits + " hits, on " + server + "["
                + connectionIndex
                + "]" + (socket == null ? "" : " " + socket) + ", " + durationNanos + " ns"
                + (failure == null ? "" : ": " + failure);
    }
}
