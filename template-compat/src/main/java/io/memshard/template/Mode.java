// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

/** Ways in which callers get a connection. */
public enum Mode {
    /**
     * Pool of clients with one connection to each server. A caller borrows a connection, and returns the connection by
     * {@code close()}. The mode needs {@code org.apache.commons:commons-pool2} on the class path.
     */
    POOLED,
    /** One connection to each server, which all callers share. */
    SINGLE,
    /** Several connections to each server, which all callers share. A chooser picks a connection for each call. */
    SHARDED
}
