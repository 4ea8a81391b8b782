// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.embedded;

/** The client that sent a command, and what a command may do to its connection. Confined to the server's event loop. */
interface Peer {

    /** The most bytes a key may have. */
    int LONGEST_KEY = 250;

    /** Sends one line; the end of line is added. */
    void reply(String line);

    /** Sends one line and the value it announces. */
    void reply(String line, byte[] value);

    /**
     * Reads a data block of {@code length} bytes and its end of line, then calls {@code block}.
     *
     * @param quiet whether no error is sent for a block that does not end where it should
     */
    void awaitData(int length, boolean quiet, DataBlock block);

    /** Drops a data block of {@code length} bytes and its end of line, whatever they are. */
    void swallowData(int length);

    /** Writes the replies so far, which {@link #abort} then no longer drops. */
    void write();

    /** Closes the connection after the replies so far are sent. */
    void close();

    /** Closes the connection without the replies that memcached would not have written yet. */
    void abort();

    /** Receives a data block. */
    interface DataBlock {

        /**
         * Called once, when the block is complete.
         *
         * @param data the block without its end of line, not copied
         * @throws BadCommandException if the command fails; the message is the reply
         */
        void complete(byte[] data) throws BadCommandException;
    }
}
