// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.listener;

import io.memshard.client.options.ServerAddress;
import org.jspecify.annotations.Nullable;

/**
 * One call of a client's method. The call may send any number of commands. A call includes the parts of a large
 * operation, retries and, for {@code getOrLoad}, the work of the loader. Threading: immutable.
 *
 * @param operation the operation of the API, such as {@code get}, {@code multiGet} or {@code meta.get}
 * @param key the whole key; null if the call has no key or many keys, or if the client hides keys
 * @param keys number of keys in the call
 * @param server the server, as configured; null if the call may need several servers
 */
public record Call(
        String operation,
        @Nullable String key,
        int keys,
        @Nullable ServerAddress server) {}
