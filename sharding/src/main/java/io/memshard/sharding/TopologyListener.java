// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding;

/**
 * Receives changes of a client's servers.
 *
 * <p>Threading: called after commands are routed to the new servers, outside any lock, by the thread that makes the
 * change. This is the caller of {@code replace}, or the thread of a discovery. One thread at a time notifies the
 * listeners, of one change after another. If a listener or another thread makes a change in the meantime, the notifying
 * thread reports this change afterwards. The {@code replace} of such a change returns before the listeners are
 * notified. A listener may therefore call {@code replace} or {@code close}, or wait for another thread that does. A
 * discovery does not continue until the listener returns.
 *
 * <p>Order: each listener is notified of each change once, in the order of the versions.
 *
 * <p>Failure: an exception of a listener is logged, and the other listeners are still notified.
 */
@FunctionalInterface
public interface TopologyListener {

    /** Called when the servers or their order have changed. */
    void topologyChanged(Topology before, Topology now);
}
