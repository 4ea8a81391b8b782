// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.embedded;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connection to the embedded memcached. Unlike memcached, sends all replies to one read in one write. Confined to the
 * event loop of its channel.
 */
final class Session extends ByteToMessageDecoder {

    private static final Logger LOG = LoggerFactory.getLogger(Session.class);

    /** First byte of a request of the binary protocol. No text command begins with this byte. */
    private static final byte BINARY_REQUEST = (byte) 0x80;

    /** Number of words of a {@code set} command, without {@code noreply}. */
    private static final int WORDS_OF_SET = 5;

    private static final String UNAUTHENTICATED = "CLIENT_ERROR unauthenticated";
    private static final int LONGEST_LOGIN = 16 * 1024;

    private static final int END_OF_LINE_LENGTH = 2;
    private static final byte[] END_OF_LINE = {'\r', '\n'};
    private static final short END_OF_LINE_SHORT = '\r' << 8 | '\n';

    private final Sessions shared;
    private boolean isAuthenticated;
    private @Nullable ByteBuf replies;

    private boolean hasRead;

    private @Nullable DataBlock awaited;
    private int awaitedLength;
    private boolean awaitedIsQuiet;
    private long bytesToDrop;
    private boolean closing;

    interface DataBlock {
        /** Receives the block without its end of line. If this method throws, the reply is the exception's message. */
        void complete(byte[] data) throws BadCommandException;
    }

    Session(Sessions shared) {
        this.shared = shared;
        this.isAuthenticated = shared.users.isEmpty();
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
        shared.stats.currConnections++;
        shared.stats.count("total_connections");
        super.channelActive(context);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        shared.stats.currConnections--;
        closing = true;
        super.channelInactive(context);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) throws Exception {
        flushReplies(context);
        super.channelReadComplete(context);
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext context) {
        if (replies != null) {
            replies.release();
            replies = null;
        }
    }

    /** Stops reading from a client that does not read its replies, to limit the buffered replies. */
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) throws Exception {
        context.channel().config().setAutoRead(context.channel().isWritable());
        super.channelWritabilityChanged(context);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // no action remains if closing fails
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) throws Exception {
        context.close();
        if (!(cause instanceof IOException)) {
            super.exceptionCaught(context, cause);
        }
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (closing) {
            in.skipBytes(in.readableBytes());
            return;
        }
        if (replies == null) {
            replies = context.alloc().buffer();
        }
        if (!hasRead && in.getByte(in.readerIndex()) == BINARY_REQUEST) {
            LOG.warn(
                    "{}: the connection is closed, because the client speaks the binary protocol, not text",
                    context.channel());
            closing = true;
        }
        hasRead = true;
        int before = in.readableBytes();
        while (!closing && in.isReadable()) {
            int readable = in.readableBytes();
            step(in);
            if (in.readableBytes() == readable) {
                break;
            }
        }
        shared.stats.add("bytes_read", before - in.readableBytes());
        if (closing) {
            in.skipBytes(in.readableBytes());
            flushReplies(context);
            context.writeAndFlush(context.alloc().buffer(0)).addListener(ChannelFutureListener.CLOSE);
        }
    }

    private void step(ByteBuf in) {
        if (bytesToDrop > 0) {
            int skipped = (int) Math.min(bytesToDrop, in.readableBytes());
            in.skipBytes(skipped);
            bytesToDrop -= skipped;
        } else if (awaited != null) {
            if (in.readableBytes() >= awaitedLength + END_OF_LINE_LENGTH) {
                DataBlock block = awaited;
                awaited = null;
                completeData(in, block);
            }
        } else {
            readLine(in);
        }
    }

    private void completeData(ByteBuf in, DataBlock block) {
        byte[] data = new byte[awaitedLength];
        in.readBytes(data);
        boolean wellFormed = in.readShort() == END_OF_LINE_SHORT;
        try {
            if (!wellFormed) {
                throw new BadCommandException("CLIENT_ERROR bad data chunk");
            }
            block.complete(data);
        } catch (BadCommandException e) {
            if (!awaitedIsQuiet) {
                reply(e.reply());
            }
        }
    }

    private void readLine(ByteBuf in) {
        int length = in.bytesBefore((byte) '\n');
        if (length < 0) {
            return;
        }
        String line = in.readCharSequence(length, StandardCharsets.ISO_8859_1).toString();
        in.skipBytes(1);
        execute(words(line.endsWith("\r") ? line.substring(0, length - 1) : line));
    }

    private static List<String> words(String text) {
        return Stream.of(text.split(" ", -1)).filter(word -> !word.isEmpty()).toList();
    }

    private void execute(List<String> tokens) {
        try {
            if (tokens.isEmpty()) {
                throw new BadCommandException("ERROR");
            }
            if (!isAuthenticated) {
                authenticate(tokens);
            } else if (MetaCommands.isMeta(tokens.get(0))) {
                shared.metaCommands.execute(tokens, this);
            } else {
                shared.textCommands.execute(tokens, this);
            }
        } catch (BadCommandException e) {
            reply(e.reply());
        }
    }

    /** Checks the user and password in the data of a {@code set} with any key; see protocol.txt, "Authentication". */
    private void authenticate(List<String> tokens) throws BadCommandException {
        boolean isSet = tokens.size() >= WORDS_OF_SET && tokens.get(0).equals("set");
        int length = isSet ? Numbers.int32(tokens.get(WORDS_OF_SET - 1), UNAUTHENTICATED) : -1;
        if (length < 0 || length > LONGEST_LOGIN) {
            throw new BadCommandException(UNAUTHENTICATED);
        }
        awaitData(length, false, data -> {
            List<String> login = words(new String(data, StandardCharsets.ISO_8859_1));
            if (login.size() < 2 || !login.get(1).equals(shared.users.get(login.get(0)))) {
                throw new BadCommandException("CLIENT_ERROR authentication failure");
            }
            isAuthenticated = true;
            reply("STORED");
        });
    }

    private void flushReplies(ChannelHandlerContext context) {
        if (replies == null || !replies.isReadable()) {
            return;
        }
        ByteBuf gathered = replies;
        replies = null;
        shared.stats.add("bytes_written", gathered.readableBytes());
        context.writeAndFlush(gathered).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }

    private ByteBuf replies() {
        if (replies == null) {
            throw new IllegalStateException("a reply cannot be written, because no request is being handled");
        }
        return replies;
    }

    void reply(String line) {
        replies().writeCharSequence(line, StandardCharsets.ISO_8859_1);
        replies().writeBytes(END_OF_LINE);
    }

    void reply(String line, byte[] value) {
        reply(line);
        replies().writeBytes(value).writeBytes(END_OF_LINE);
    }

    /** Drops the next data block with its end of line, unless {@link #awaitData} is called afterwards. */
    void dropData(int length) {
        bytesToDrop = (long) length + END_OF_LINE_LENGTH;
    }

    /** Passes the next data to {@code block}. If {@code quiet} is true, data with a wrong end causes no error reply. */
    void awaitData(int length, boolean quiet, DataBlock block) {
        bytesToDrop = 0;
        awaited = block;
        awaitedIsQuiet = quiet;
        awaitedLength = length;
    }

    /** Closes the connection after all replies so far have been sent. */
    void close() {
        closing = true;
    }
}
