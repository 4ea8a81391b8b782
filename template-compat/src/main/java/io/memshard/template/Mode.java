// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

/** Ways in which callers get a connection. */
public enum Mode {
    /**
     * Borrows a connection from a pool of whole clients; {@code close()} returns the connection. This is the article's
     * Template. Needs {@code org.apache.commons:commons-pool2} on the class path.
     */
    POOLED,
    /** Shares one connection among all callers: the article's Connection. */
    SINGLE,
    /** Shares an array of connections through a chooser; nothing is borrowed or returned. */
    SHARDED
}
