// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.embedded;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to the embedded memcached: splits the stream into command lines and data blocks, and combines the
 * replies of one read into one write.
 *
 * <p>Memcached writes more often: after each {@code get} and {@code mn}, and after 21 commands of one read.
 *
 * <p>{@code Threading}: confined to the event loop of its channel.
 */
final class Session extends ByteToMessageDecoder implements Peer {

    private static final Logger LOG = LoggerFactory.getLogger(Session.class);

    /** Length of an unfinished line above which memcached closes the connection, unless the line is a {@code get}. */
    private static final int LONGEST_UNFINISHED_LINE = 2048;

    /** First byte of a request of the binary protocol. No text command begins with it. */
    private static final byte BINARY_REQUEST = (byte) 0x80;

    private static final int END_OF_LINE_LENGTH = 2;
    private static final byte[] END_OF_LINE = {'\r', '\n'};
    private static final short END_OF_LINE_SHORT = '\r' << 8 | '\n';

    private final TextCommands textCommands;
    private final MetaCommands metaCommands;
    private final StatsCounters stats;

    /** Password check; null after it has succeeded, or if the server has no users. */
    private @Nullable PasswordCheck passwordCheck;

    private @Nullable ByteBuf replies;

    /** True once any data was read. */
    private boolean hasRead;

    private @Nullable DataBlock awaited;
    private int awaitedLength;
    private boolean awaitedIsQuiet;
    private long bytesToDrop;
    private boolean closing;

    Session(
            @Nullable PasswordCheck passwordCheck,
            TextCommands textCommands,
            MetaCommands metaCommands,
            StatsCounters stats) {
        this.passwordCheck = passwordCheck;
        this.textCommands = textCommands;
        this.metaCommands = metaCommands;
        this.stats = stats;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
        stats.currConnections++;
        stats.count("total_connections");
        super.channelActive(context);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        stats.currConnections--;
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

    /** Stops reading from a client that does not read its replies, so that the buffered replies stay limited. */
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
            LOG.warn("{}: this server closed the connection, because it speaks text, not binary", context.channel());
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
        stats.add("bytes_read", before - in.readableBytes());
        if (closing) {
            in.skipBytes(in.readableBytes());
            flushReplies(context);
            context.writeAndFlush(context.alloc().buffer(0)).addListener(ChannelFutureListener.CLOSE);
        }
    }

    private void step(ByteBuf in) {
        if (passwordCheck != null) {
            authenticate(in, passwordCheck);
        } else if (bytesToDrop > 0) {
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

    private void authenticate(ByteBuf in, PasswordCheck check) {
        if (check.isOverrunBy(in)) {
            close();
            return;
        }
        String line = check.step(in);
        if (line == null) {
            return;
        }
        replies().clear(); // Memcached has one buffer for these replies, so it sends only the last.
        reply(line);
        if (line.equals(PasswordCheck.STORED)) {
            passwordCheck = null;
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
            if (in.readableBytes() > LONGEST_UNFINISHED_LINE && !startsWithGet(in)) {
                close();
            }
            return;
        }
        String line = in.readCharSequence(length, StandardCharsets.ISO_8859_1).toString();
        in.skipBytes(1);
        execute(split(upToNul(line.endsWith("\r") ? line.substring(0, length - 1) : line)));
    }

    /** Returns the part of a text before a NUL, which is all that memcached sees. */
    static String upToNul(String text) {
        int nul = text.indexOf('\0');
        return nul < 0 ? text : text.substring(0, nul);
    }

    private static boolean startsWithGet(ByteBuf in) {
        String start = in.toString(in.readerIndex(), LONGEST_UNFINISHED_LINE, StandardCharsets.ISO_8859_1)
                .stripLeading();
        return start.startsWith("get ") || start.startsWith("gets ");
    }

    static List<String> split(String line) {
        List<String> tokens = new ArrayList<>();
        int start = 0;
        while (start < line.length()) {
            int end = line.indexOf(' ', start);
            end = end < 0 ? line.length() : end;
            if (end > start) {
                tokens.add(line.substring(start, end));
            }
            start = end + 1;
        }
        return tokens;
    }

    private void execute(List<String> tokens) {
        try {
            if (tokens.isEmpty()) {
                throw new BadCommandException("ERROR");
            }
            if (MetaCommands.isMeta(tokens.get(0))) {
                metaCommands.execute(tokens, this);
            } else {
                textCommands.execute(tokens, this);
            }
        } catch (BadCommandException e) {
            reply(e.reply());
        }
    }

    private void flushReplies(ChannelHandlerContext context) {
        if (replies == null || !replies.isReadable()) {
            return;
        }
        ByteBuf gathered = replies;
        replies = null;
        stats.add("bytes_written", gathered.readableBytes());
        context.writeAndFlush(gathered).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }

    private ByteBuf replies() {
        if (replies == null) {
            throw new IllegalStateException("a reply outside of a read");
        }
        return replies;
    }

    @Override
    public void reply(String line) {
        replies().writeCharSequence(line, StandardCharsets.ISO_8859_1);
        replies().writeBytes(END_OF_LINE);
    }

    @Override
    public void reply(String line, byte[] value) {
        reply(line);
        replies().writeBytes(value).writeBytes(END_OF_LINE);
    }

    @Override
    public void awaitData(int length, boolean quiet, DataBlock block) {
        awaited = block;
        awaitedIsQuiet = quiet;
        awaitedLength = length;
    }

    @Override
    public void dropData(int length) {
        bytesToDrop = (long) length + END_OF_LINE_LENGTH;
    }

    @Override
    public void close() {
        closing = true;
    }
}
