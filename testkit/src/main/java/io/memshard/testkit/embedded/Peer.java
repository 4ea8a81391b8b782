// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.embedded;

/**
 * Client that sent a command, with the operations that a command may perform on the connection. Confined to the
 * server's event loop.
 */
interface Peer {

    /** Maximum length of a key in bytes. */
    int LONGEST_KEY = 250;

    /** Sends one line; the end of line is added. */
    void reply(String line);

    /** Sends one line, followed by the value that the line announces. */
    void reply(String line, byte[] value);

    /**
     * Reads a data block of {@code length} bytes and its end of line, then calls {@code block}.
     *
     * @param quiet whether to send no error for a block with a wrong end
     */
    void awaitData(int length, boolean quiet, DataBlock block);

    /** Drops a data block of {@code length} bytes and its end of line, regardless of their content. */
    void dropData(int length);

    /** Closes the connection after the replies so far are sent. */
    void close();

    /** Receiver of a data block. */
    interface DataBlock {

        /**
         * Receives the complete block; called once.
         *
         * @param data the block without its end of line, not copied
         * @throws BadCommandException if the command fails; the message is the reply
         */
        void complete(byte[] data) throws BadCommandException;
    }
}
