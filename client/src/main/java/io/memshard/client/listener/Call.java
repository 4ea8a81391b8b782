// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.listener;

import io.memshard.client.options.ServerAddress;
import org.jspecify.annotations.Nullable;

/**
 * One call of an operation of a client. It may send no command, or many: with its parts, second attempts and, for
 * {@code getOrLoad}, what the loader does.
 *
 * <p>Threading: immutable.
 *
 * @param operation the operation of the API, such as {@code get}, {@code multiGet} or {@code meta.get}
 * @param key the key, whole; null if there is none or many, or if the client was told to hide keys
 * @param keys how many keys it names
 * @param server the server, as configured; null for an operation on many keys with several servers
 */
public record Call(
        String operation,
        @Nullable String key,
        int keys,
        @Nullable ServerAddress server) {}
