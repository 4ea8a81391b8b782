// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.fault;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Connection of a {@link ScriptedServer}. The methods are the steps of a script. Most methods return this object.
 *
 * <p>Text is Latin-1, one char per byte, and is sent unchanged: write {@code \r\n} where a line ends.
 *
 * <p>Threading: only the thread that plays the script calls the steps. Any thread may call {@link #received()}, {@link
 * #release()} and {@link #isOpen()}. Failure: a step whose expectation fails throws {@link AssertionError}; a step that
 * cannot read or write throws {@link UncheckedIOException}.
 */
public final class ScriptedConnection {

    /** First line of a handshake that tries the meta protocol, without the opaque at the end of the line. */
    private static final String META_PROBE = "mg bWVtc2hhcmQ6cHJvYmU= b O";

    private final Socket socket;
    private final int index;
    private final InputStream in;
    private final CountDownLatch released = new CountDownLatch(1);
    private final ByteArrayOutputStream received = new ByteArrayOutputStream(); // guarded by its own monitor

    // Distinguishes a failure from a close by this side. Any thread may write this field.
    private volatile boolean closedByServer;

    // Only the script's thread writes this field.
    private volatile boolean closedByClient;

    // True while the script expects nothing of the client. Only the script's thread writes this field.
    private volatile boolean passive;

    ScriptedConnection(Socket socket, int index, Duration expectTimeout) {
        this.socket = socket;
        this.index = index;
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(Math.toIntExact(Math.max(1, expectTimeout.toMillis())));
            in = new BufferedInputStream(socket.getInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the index of this connection among the accepted connections, from 0. */
    public int index() {
        return index;
    }

    /** Returns all data that steps have read from the client so far. */
    public String received() {
        return received.toString(StandardCharsets.ISO_8859_1);
    }

    /** Returns false once this side has closed the connection, or has read the end of the client's data. */
    public boolean isOpen() {
        return !closedByServer && !closedByClient;
    }

    /** Reads one line, and fails unless the line without its end equals {@code line}. */
    public ScriptedConnection expectLine(String line) {
        return expectLine(line::equals, "\"" + printable(line) + "\"");
    }

    /** Reads one line, and fails unless the line without its end matches {@code matcher}. */
    public ScriptedConnection expectLine(Predicate<String> matcher) {
        return expectLine(matcher, "a line that matches");
    }

    private ScriptedConnection expectLine(Predicate<String> matcher, String expected) {
        String line = readLine();
        if (!matcher.test(line)) {
            throw failed("expected " + expected + ", but got \"" + printable(line) + "\"");
        }
        return this;
    }

    /** Reads one line, and returns the line without its end. */
    public String readLine() {
        String line = readLineOrNull();
        if (line == null) {
            throw failed("expected a line, but " + whoClosed());
        }
        return line;
    }

    /** Reads {@code length} bytes, regardless of their values. */
    public byte[] readBytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            int read = i;
            int next = readOrEnd(() -> "byte " + (read + 1) + " of " + length);
            if (next < 0) {
                throw failed("expected " + length + " bytes, but " + whoClosed() + " after " + i + " bytes");
            }
            bytes[i] = (byte) next;
        }
        return bytes;
    }

    /** Waits for {@code duration}; fails if the client sends anything or closes the connection in the meantime. */
    public ScriptedConnection expectSilence(Duration duration) {
        try {
            int timeoutMillis = socket.getSoTimeout();
            socket.setSoTimeout(Math.toIntExact(Math.max(1, duration.toMillis())));
            try {
                throw failed("expected silence, but " + found(in.read()));
            } catch (SocketTimeoutException e) {
                socket.setSoTimeout(timeoutMillis);
                return this;
            }
        } catch (IOException e) {
            throw failed("expected silence, but the read failed: " + e);
        }
    }

    /** Waits until the client closes the connection; fails if the client sends anything more. */
    public ScriptedConnection expectClose() {
        int next = readOrEnd(() -> "the client to close the connection");
        if (next >= 0 || closedByServer) {
            throw failed("expected the client to close the connection, but " + found(next));
        }
        return this;
    }

    private String found(int next) {
        return next < 0 ? whoClosed() : "got \"" + printable(String.valueOf((char) next)) + "\"";
    }

    /**
     * Answers the handshake of a Memshard client as memcached does, for any {@code protocol} setting of the client. The
     * step also succeeds if the client closes the connection during the handshake.
     */
    public ScriptedConnection greet() {
        try {
            String line = readLineOrNull();
            if ("get memshard:probe".equals(line)) {
                return send("END\r\n");
            }
            if (line != null && line.startsWith(META_PROBE)) {
                send("EN O" + line.substring(META_PROBE.length()) + "\r\n");
                line = readLineOrNull();
            }
            if (line != null && !line.equals("mn")) {
                throw failed("expected a handshake, but got \"" + printable(line) + "\"");
            }
            return line == null ? this : send("MN\r\n");
        } catch (UncheckedIOException e) {
            closedByClient = !closedByServer;
            return this;
        }
    }

    /** Sends these bytes in one write. */
    public ScriptedConnection send(String bytes) {
        return send(bytes.getBytes(StandardCharsets.ISO_8859_1));
    }

    public ScriptedConnection send(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /**
     * Sends bytes in pieces, with a pause after each piece, so that the client reads each piece separately. {@code
     * chunkSizes} has the sizes of the pieces; all further pieces have the last size. Without sizes, each piece has one
     * byte.
     */
    public ScriptedConnection sendSlowly(String bytes, Duration pause, int... chunkSizes) throws InterruptedException {
        int sent = 0;
        for (int piece = 0; sent < bytes.length(); piece++) {
            int size = chunkSizes.length == 0 ? 1 : chunkSizes[Math.min(piece, chunkSizes.length - 1)];
            int end = Math.min(bytes.length(), sent + Math.max(1, size));
            send(bytes.substring(sent, end));
            sent = end;
            Thread.sleep(pause.toMillis()); // The pause is the purpose of this step.
        }
        return this;
    }

    /** Sends {@code length} random bytes. The same {@code seed} gives the same bytes. */
    public ScriptedConnection garbage(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return send(bytes);
    }

    /** Does nothing until {@link #release()} is called or the server is closed. */
    public ScriptedConnection stall() throws InterruptedException {
        passive = true;
        released.await();
        passive = false;
        return this;
    }

    /** Ends the current {@link #stall()}. Later calls of {@link #stall()} return at once. */
    public void release() {
        released.countDown();
    }

    /** Reads without answering until the client closes the connection. */
    public ScriptedConnection ignore() {
        readToEnd();
        return this;
    }

    /** Closes the connection gracefully (FIN). */
    public ScriptedConnection cut() {
        closedByServer = true;
        closeSocket();
        return this;
    }

    /** Closes the connection by a reset (RST): data that was sent and not yet read is lost. */
    public ScriptedConnection reset() {
        closedByServer = true;
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            closeSocket();
        }
        return this;
    }

    /** Closes the sending half: the client reads the end of the stream but may still write. */
    public ScriptedConnection halfClose() {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /**
     * Answers each line until the client closes the connection.
     *
     * @param handler function from a line without its end to the bytes to send; an empty text sends nothing
     */
    public ScriptedConnection replyTo(Function<String, String> handler) {
        passive = true;
        try {
            socket.setSoTimeout(0);
            String line = readLineOrNull();
            while (line != null) {
                socket.getOutputStream().write(handler.apply(line).getBytes(StandardCharsets.ISO_8859_1));
                line = readLineOrNull();
            }
        } catch (IOException e) {
            closedByClient = !closedByServer; // the client may close without waiting for the answer
        }
        return this;
    }

    void closeByServer() {
        closedByServer = true;
        release();
        closeSocket();
    }

    boolean isClosedByServer() {
        return closedByServer;
    }

    boolean expectsNothing() {
        return passive || closedByServer;
    }

    void readToEnd() {
        passive = true;
        try {
            socket.setSoTimeout(0);
            int next = in.read();
            while (next >= 0) {
                received.write(next);
                next = in.read();
            }
        } catch (IOException e) {
            // A reset by the client ends the connection like a close.
        }
        closedByClient = true;
    }

    private @Nullable String readLineOrNull() {
        StringBuilder line = new StringBuilder();
        int next = readOrEnd(() -> "a line");
        while (next != '\n') {
            if (next < 0) {
                if (line.length() > 0) {
                    throw failed(whoClosed() + " after the incomplete line \"" + printable(line.toString()) + "\"");
                }
                return null;
            }
            line.append((char) next);
            next = readOrEnd(() -> "the end of the line \"" + printable(line.toString()) + "\"");
        }
        int length = line.length();
        boolean carriageReturn = length > 0 && line.charAt(length - 1) == '\r';
        return line.substring(0, carriageReturn ? length - 1 : length);
    }

    private int readOrEnd(Supplier<String> expected) {
        try {
            int next = in.read();
            if (next >= 0) {
                received.write(next);
            } else {
                closedByClient = true;
            }
            return next;
        } catch (SocketTimeoutException e) {
            throw failed("expected " + expected.get() + ", but the client sent nothing in time");
        } catch (IOException e) {
            closedByClient = !closedByServer; // a reset by the client ends the stream as a close does
            return -1;
        }
    }

    private String whoClosed() {
        return closedByServer ? "the server was closed" : "the client closed the connection";
    }

    private void closeSocket() {
        try {
            socket.close();
        } catch (IOException e) {
            // The socket is closed either way.
        }
    }

    private AssertionError failed(String what) {
        return new AssertionError("connection " + index + ": " + what);
    }

    private static String printable(String text) {
        return text.replace("\r", "\\r").replace("\n", "\\n");
    }
}
