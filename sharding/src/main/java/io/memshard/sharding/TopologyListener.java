// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding;

/**
 * Is notified when other servers have taken the place of some.
 *
 * <p>Threading: called after commands go to the new servers, by the thread that makes the change and outside any lock:
 * the caller of {@code replace}, or that of a discovery. One thread at a time notifies, of one change after the other.
 * A change that is made meanwhile, by a listener or by another thread, is notified by that same thread afterwards. Its
 * {@code replace} then returns before the listeners know. So a listener may call {@code replace} or {@code close}, or
 * wait for another thread that does. The thread of a discovery looks no further before a listener returns.
 *
 * <p>Order: each listener is notified of each change once, in the order of the versions.
 *
 * <p>Failure: an exception is logged, and the other listeners are notified.
 */
@FunctionalInterface
public interface TopologyListener {

    /** The servers are other ones, or stand in another order. */
    void topologyChanged(Topology before, Topology now);
}
