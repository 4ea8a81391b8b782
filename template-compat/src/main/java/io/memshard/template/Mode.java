// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

/** Ways in which callers get a connection. */
public enum Mode {
    /**
     * Pool of whole clients: a connection is borrowed, and returned by {@code close()}. This is the article's Template.
     * Needs {@code org.apache.commons:commons-pool2} on the class path.
     */
    POOLED,
    /** One connection shared by all callers: the article's Connection. */
    SINGLE,
    /** Array of connections with a chooser; nothing is borrowed or returned. */
    SHARDED
}
