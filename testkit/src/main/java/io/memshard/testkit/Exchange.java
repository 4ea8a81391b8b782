package io.memshard.testkit;

/** What a command may do to the connection it came on. Confined to the connection's event loop. */
interface Exchange {

    /** The most bytes a key may have. */
    int LONGEST_KEY = 250;

    /** Sends one line; the end of line is added. */
    void reply(String line);

    /** Sends one line and the value it announces. */
    void reply(String line, byte[] value);

    /**
     * Reads a data block of {@code length} bytes and its end of line, then calls {@code block};
     * {@code quiet} drops the error of a block that does not end where it should.
     */
    void awaitData(int length, boolean quiet, DataBlock block);

    /** Drops a data block of {@code length} bytes and its end of line, whatever they are. */
    void swallowData(int length);

    /** Closes the connection once the replies so far are sent. */
    void close();

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
