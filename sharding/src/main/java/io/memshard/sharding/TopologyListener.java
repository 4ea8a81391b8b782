// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding;

/**
 * Is told when other servers have taken the place of some.
 *
 * <p>Threading: called by the thread that makes the change, after commands go to the new servers; one change at a time.
 * What it throws is logged.
 */
@FunctionalInterface
public interface TopologyListener {

    /** The servers are other ones, or stand in another order. */
    void topologyChanged(Topology before, Topology now);
}
