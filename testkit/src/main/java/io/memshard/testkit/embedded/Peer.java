// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.embedded;

/** Client that sent a command, with the operations that a command may perform on the connection. */
interface Peer {

    /** Maximum length of a key in bytes. */
    int LONGEST_KEY = 250;

    /** Sends one line; the end of line is added. */
    void reply(String line);

    void reply(String line, byte[] value);

    /**
     * Reads a data block and its end of line. If {@code quiet} is true, a block with a wrong end causes no error reply.
     */
    void awaitData(int length, boolean quiet, DataBlock block);

    /** Drops a data block of {@code length} bytes and its end of line, regardless of their content. */
    void dropData(int length);

    /** Closes the connection after the replies so far are sent. */
    void close();

    interface DataBlock {

        /** Receives the block without its end of line, not copied. The message of the exception is the reply. */
        void complete(byte[] data) throws BadCommandException;
    }
}
