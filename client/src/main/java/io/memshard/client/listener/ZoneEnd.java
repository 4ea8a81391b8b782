// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.listener;

import io.memshard.client.exception.MemcachedException;
import org.jspecify.annotations.Nullable;

/**
 * What became of a command in one of several zones, which have a copy of the data each.
 *
 * <p>Threading: immutable.
 *
 * @param operation the operation of the API, such as {@code get}
 * @param zone the name of the zone
 * @param keys how many keys the command names
 * @param served how many of them the zone has served: values found, or writes done; 0 also if it has not answered
 * @param failure why the zone has failed, for at least one key; null if it has not
 * @param awaited whether the caller waited for the zone. If not, either it has not answered by then, or the failure
 *     came later
 */
public record ZoneEnd(
        String operation,
        String zone,
        int keys,
        int served,
        @Nullable MemcachedException failure,
        boolean awaited) {}
