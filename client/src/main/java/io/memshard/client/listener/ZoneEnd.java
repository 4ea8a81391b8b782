// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.listener;

import io.memshard.client.exception.MemcachedException;
import org.jspecify.annotations.Nullable;

/**
 * Outcome of a command in one of several zones, each of which has a copy of the data.
 *
 * <p>Threading: immutable.
 *
 * @param operation the operation of the API, such as {@code get}
 * @param zone the name of the zone
 * @param keys number of keys the command names
 * @param served number of keys the zone has served: values found, or writes done; also 0 if the zone has not answered
 * @param failure the failure of the zone for at least one key; null if it has not failed
 * @param awaited whether the caller waited for the zone. If false, the zone had not answered when the caller stopped
 *     waiting, or failed later
 */
public record ZoneEnd(
        String operation,
        String zone,
        int keys,
        int served,
        @Nullable MemcachedException failure,
        boolean awaited) {}
