// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

/** How callers get a connection. */
public enum Mode {
    /**
     * A connection is borrowed from a pool of whole clients and returned by {@code close()}: the
     * article's Template. Needs {@code org.apache.commons:commons-pool2} on the class path.
     */
    POOLED,
    /** All callers share one connection: the article's Connection. */
    SINGLE,
    /** An array of connections and a chooser: nothing is borrowed, nothing is given back. */
    SHARDED
}
