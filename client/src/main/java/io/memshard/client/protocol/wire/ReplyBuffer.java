// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Buffer of received bytes, with a cursor for lines and tokens. Threading: only for the thread that reads replies. */
public final class ReplyBuffer {

    /** Maximum length of a reply line, which has at most a key and about 20 flags. */
    public static final int MAX_LINE_BYTES = 4096;

    private static final int PIECE_BYTES = 1024;
    public static final int VA = code('V', 'A');
    public static final int HD = code('H', 'D');
    public static final int EN = code('E', 'N');
    public static final int MN = code('M', 'N');

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final byte[] array = new byte[MAX_LINE_BYTES + 2 * PIECE_BYTES];
    private final int maxValueBytes;
    private final boolean hidesKeys;

    /** The undecoded bytes are {@code array[position .. limit)}, then the rest of {@link #appended}. */
    private int position;

    private int limit;
    private ByteBuffer appended = NOTHING;
    private long received;

    /** Position up to which no line end was found. */
    private int searched;

    /** Start of the current line, which ends at {@link #lineEnd}, before CR LF. */
    private int lineStart;

    private int lineEnd;
    private int tokenStart;
    private int tokenEnd;
    private byte @Nullable [] block;
    private int blockLength;
    private int taken;
    private boolean inBlock;

    public ReplyBuffer(int maxValueBytes, boolean hidesKeys) {
        this.maxValueBytes = maxValueBytes;
        this.hidesKeys = hidesKeys;
    }

    public int maxValueBytes() {
        return maxValueBytes;
    }

    /** Appends bytes without a copy. The bytes must not change until decoding needs more bytes. */
    public void append(ByteBuffer bytes) {
        appended = bytes;
        received += bytes.remaining();
    }

    private boolean copyPiece() {
        if (!appended.hasRemaining()) {
            return false;
        }
        if (array.length - limit < PIECE_BYTES || position == limit) {
            System.arraycopy(array, position, array, 0, limit - position);
            limit -= position;
            searched -= position;
            position = 0;
        }
        int copied = Math.min(PIECE_BYTES, appended.remaining());
        appended.get(array, limit, copied);
        limit += copied;
        return true;
    }

    /** Returns the number of bytes appended so far. Threads that do not read replies may see an older number. */
    public long received() {
        return received;
    }

    public boolean hasBytes() {
        return undecoded() > 0;
    }

    public int undecoded() {
        return limit - position + appended.remaining();
    }

    /** Moves to the next line. Returns false and consumes nothing if the line is not complete. */
    public boolean nextLine() throws MalformedReplyException {
        searched = Math.max(searched, position);
        while (!findLineEnd()) {
            if (!copyPiece()) {
                return false;
            }
        }
        int at = searched;
        lineStart = position;
        if (at == position || array[at - 1] != '\r') {
            lineEnd = at;
            throw malformed("the server sent a line that does not end in CR LF");
        }
        lineEnd = at - 1;
        position = at + 1;
        searched = position;
        tokenStart = lineStart;
        tokenEnd = lineStart;
        return true;
    }

    private boolean findLineEnd() throws MalformedReplyException {
        int at = searched;
        while (at < limit && array[at] != '\n') {
            at++;
        }
        searched = at;
        if (at - position > MAX_LINE_BYTES) {
            throw new MalformedReplyException("the server sent a line of more than " + MAX_LINE_BYTES + " bytes");
        }
        return at < limit;
    }

    /** Returns the code of the current line, such as {@link #HD}; 0 if its first token has not two bytes. */
    public int code() {
        int length = lineEnd - lineStart;
        if (length < 2 || (length > 2 && array[lineStart + 2] != ' ')) {
            return 0;
        }
        tokenEnd = lineStart + 2;
        return code(array[lineStart], array[lineStart + 1]);
    }

    public static int code(int first, int second) {
        return first << 8 | second;
    }

    public boolean nextToken() {
        int at = tokenEnd;
        while (at < lineEnd && array[at] == ' ') {
            at++;
        }
        if (at == lineEnd) {
            return false;
        }
        tokenStart = at;
        while (at < lineEnd && array[at] != ' ') {
            at++;
        }
        tokenEnd = at;
        return true;
    }

    public byte tokenLetter() {
        return array[tokenStart];
    }

    public long tokenNumber() throws MalformedReplyException {
        return number(tokenStart, tokenEnd);
    }

    public long flagNumber() throws MalformedReplyException {
        return number(tokenStart + 1, tokenEnd);
    }

    public long signedFlagNumber() throws MalformedReplyException {
        boolean negative = tokenEnd - tokenStart > 1 && array[tokenStart + 1] == '-';
        return negative ? -number(tokenStart + 2, tokenEnd) : flagNumber();
    }

    public String token() {
        return new String(array, tokenStart, tokenEnd - tokenStart, StandardCharsets.ISO_8859_1);
    }

    public int clientFlags() throws MalformedReplyException {
        return clientFlags(flagNumber());
    }

    public int clientFlags(long number) throws MalformedReplyException {
        if (number >>> Integer.SIZE != 0) {
            throw malformed("the server sent flags of more than 32 bits");
        }
        return (int) number;
    }

    private long number(int from, int to) throws MalformedReplyException {
        if (from == to) {
            throw malformed("the server sent a number without digits");
        }
        if (to - from > 18) {
            try {
                return Long.parseUnsignedLong(new String(array, from, to - from, StandardCharsets.US_ASCII));
            } catch (NumberFormatException e) {
                throw malformed("the server sent text that is not a number of up to 64 bits");
            }
        }
        long number = 0;
        for (int at = from; at < to; at++) {
            int digit = array[at] - '0';
            if (digit < 0 || digit > 9) {
                throw malformed("the server sent a number with characters other than digits");
            }
            number = number * 10 + digit;
        }
        return number;
    }

    public boolean lineStartsWith(byte[] prefix) {
        int end = lineStart + prefix.length;
        return end <= lineEnd && Arrays.equals(array, lineStart, end, prefix, 0, prefix.length);
    }

    /** Returns whether {@code word} is the line's first token. If so, moves to this token. */
    public boolean isFirstToken(byte[] word) {
        if (!lineStartsWith(word) || !isTokenEnd(lineStart + word.length)) {
            return false;
        }
        tokenStart = lineStart;
        tokenEnd = lineStart + word.length;
        return true;
    }

    private boolean isTokenEnd(int at) {
        return at == lineEnd || array[at] == ' ';
    }

    public boolean lineIs(byte[] text) {
        return lineEnd - lineStart == text.length && lineStartsWith(text);
    }

    /** Returns whether the next token, after one space, is the ASCII {@code text}. If so, moves to this token. */
    public boolean nextTokenIs(String text) {
        int start = tokenEnd + 1;
        int end = start + text.length();
        if (end > lineEnd || array[tokenEnd] != ' ' || !isTokenEnd(end) || !hasAscii(text, start)) {
            return false;
        }
        tokenStart = start;
        tokenEnd = end;
        return true;
    }

    public boolean tokenIs(String text) {
        if (tokenEnd - tokenStart == text.length()) {
            // A text that is not all ASCII has more bytes than characters.
            return hasAscii(text, tokenStart);
        }
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return Arrays.equals(array, tokenStart, tokenEnd, utf8, 0, utf8.length);
    }

    private boolean hasAscii(String text, int from) {
        int i = 0;
        while (i < text.length() && array[from + i] == text.charAt(i)) {
            i++;
        }
        return i == text.length();
    }

    public String line() {
        return new String(array, lineStart, lineEnd - lineStart, StandardCharsets.ISO_8859_1);
    }

    /** Begins a block, whose length is the next token. Skips a block above {@code maxBytes}, and returns false. */
    public boolean beginBlock(int maxBytes) throws MalformedReplyException {
        if (!nextToken()) {
            throw malformed("the server sent a value without length");
        }
        long announced = tokenNumber();
        if (announced < 0 || announced > Integer.MAX_VALUE) {
            throw malformed("the server sent a value with an impossible length");
        }
        blockLength = (int) announced;
        taken = 0;
        inBlock = true;
        if (blockLength > maxBytes) {
            block = null;
        } else if (limit - position >= blockLength) {
            // Faster than new byte[length], which the JVM clears first.
            block = Arrays.copyOfRange(array, position, position + blockLength);
            position += blockLength;
            taken = blockLength;
        } else {
            block = new byte[blockLength];
        }
        return block != null;
    }

    public boolean isInBlock() {
        return inBlock;
    }

    /** Reads the available bytes of the block. Returns whether the block and its line end are complete. */
    public boolean readBlock() throws MalformedReplyException {
        byte[] target = block;
        int copied = Math.min(blockLength - taken, limit - position);
        int direct = Math.min(blockLength - taken - copied, appended.remaining());
        if (target == null) {
            appended.position(appended.position() + direct);
        } else {
            System.arraycopy(array, position, target, taken, copied);
            appended.get(target, taken + copied, direct);
        }
        position += copied;
        taken += copied + direct;
        inBlock = taken < blockLength || !takeLineEnd();
        return !inBlock;
    }

    /** Returns the complete block; null if the block was skipped. */
    public byte @Nullable [] takeBlock() {
        byte[] complete = block;
        block = null;
        return complete;
    }

    public ErrorReply valueTooLarge() {
        return new ErrorReply(
                ErrorReply.Kind.VALUE_TOO_LARGE,
                "the item's value of " + blockLength + " bytes is above this client's limit maxValueBytes="
                        + maxValueBytes);
    }

    private boolean takeLineEnd() throws MalformedReplyException {
        while (limit - position < 2) {
            if (!copyPiece()) {
                return false;
            }
        }
        if (array[position] != '\r' || array[position + 1] != '\n') {
            throw new MalformedReplyException("the server sent a data block that is not followed by CR LF");
        }
        position += 2;
        return true;
    }

    public String errorText() {
        return ServerText.ofError(line(), hidesKeys);
    }

    public MalformedReplyException unrequested() throws MalformedReplyException {
        String what = "the server sent bytes that no command in flight has requested";
        return nextLine() && line().equals(MalformedReplyException.SERVER_FULL)
                ? malformed(what)
                : new MalformedReplyException(what);
    }

    public MalformedReplyException malformed(String what) {
        return new MalformedReplyException(what, ServerText.ofReply(line(), hidesKeys));
    }
}
