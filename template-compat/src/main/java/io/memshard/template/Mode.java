// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

/** Ways in which callers get a connection. */
public enum Mode {
    /**
     * Pool of clients with one connection each. A caller borrows a connection, and returns the connection by {@code
     * close()}. The article on Venus-cache ({@code docs/prior-art.md}) calls this mode Template. The mode needs {@code
     * org.apache.commons:commons-pool2} on the class path.
     */
    POOLED,
    /** One connection shared by all callers. The article on Venus-cache calls this mode Connection. */
    SINGLE,
    /** Array of connections that all callers share. A chooser picks a connection for each call. */
    SHARDED
}
