// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Client with a blocking socket for each thread. No socket has a timeout, because timeouts take more system calls. */
final class SocketPerThread {

    private final ContenderSettings settings;
    private final Queue<Line> opened = new ConcurrentLinkedQueue<>();

    @SuppressWarnings("ThreadLocalUsage") // Ends with the threads of the run.
    private final ThreadLocal<@Nullable Line> lines = new ThreadLocal<>();

    private SocketPerThread(ContenderSettings settings) {
        this.settings = settings;
    }

    static Contender open(ContenderSettings settings) {
        SocketPerThread sockets = new SocketPerThread(settings);
        return new Contender(
                key -> sockets.line().get(key),
                (key, value) -> sockets.line().set(key, value),
                () -> sockets.opened.forEach(Line::close));
    }

    private Line line() throws IOException {
        Line line = lines.get();
        if (line == null || line.isAwaiting) {
            if (line != null) {
                // After a failure, the next reply could belong to an earlier command.
                line.close();
            }
            line = new Line(settings);
            opened.add(line);
            lines.set(line);
        }
        return line;
    }

    /** Socket with its buffers. Only one thread uses the socket, but any thread may close it. */
    private static final class Line {

        private static final int BUFFER = 16 * 1024;

        private final SocketChannel socket;
        private ByteBuffer out = ByteBuffer.allocateDirect(BUFFER);
        private ByteBuffer in = ByteBuffer.allocateDirect(BUFFER).limit(0);

        /** True from a request until its reply is complete, and after a failure. */
        private boolean isAwaiting;

        Line(ContenderSettings settings) throws IOException {
            socket = SocketChannel.open(settings.server());
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }

        byte @Nullable [] get(String key) throws IOException {
            out.clear();
            put("mg ");
            put(key);
            put(" v\r\n");
            send();
            int end = endOfLine();
            if (in.get(in.position()) == 'E' && in.get(in.position() + 1) == 'N') {
                complete(end);
                return null;
            }
            if (in.get(in.position()) != 'V' || in.get(in.position() + 1) != 'A') {
                throw new IOException("the server sent an unexpected reply to mg: " + text(end));
            }
            byte[] value = new byte[length(in.position() + 3)];
            in.position(end);
            receive(value.length + 2);
            in.get(value);
            if (in.get() != '\r' || in.get() != '\n') {
                throw new IOException("the server sent a value that is not followed by CR LF");
            }
            complete(in.position());
            return value;
        }

        void set(String key, byte[] value) throws IOException {
            out.clear();
            if (out.capacity() < key.length() + value.length + 64) {
                out = ByteBuffer.allocateDirect(key.length() + value.length + 64);
            }
            put("ms ");
            put(key);
            put(" " + value.length + "\r\n");
            out.put(value);
            put("\r\n");
            send();
            int end = endOfLine();
            if (in.get(in.position()) != 'H' || in.get(in.position() + 1) != 'D') {
                throw new IOException("the server sent an unexpected reply to ms: " + text(end));
            }
            complete(end);
        }

        private void complete(int end) {
            in.position(end);
            isAwaiting = false;
        }

        private void put(String ascii) {
            for (int i = 0; i < ascii.length(); i++) {
                out.put((byte) ascii.charAt(i));
            }
        }

        private void send() throws IOException {
            isAwaiting = true;
            out.flip();
            while (out.hasRemaining()) {
                socket.write(out);
            }
        }

        private int endOfLine() throws IOException {
            int next = in.position();
            while (true) {
                for (; next < in.limit(); next++) {
                    if (in.get(next) == '\n') {
                        return next + 1;
                    }
                }
                int seen = next - in.position();
                receive(in.remaining() + 1);
                next = in.position() + seen;
            }
        }

        private void receive(int bytes) throws IOException {
            if (in.remaining() >= bytes) {
                return;
            }
            in = bytes <= in.capacity()
                    ? in.compact()
                    : ByteBuffer.allocateDirect(bytes).put(in);
            while (in.position() < bytes) {
                if (socket.read(in) < 0) {
                    in.flip();
                    throw new EOFException("the server closed the connection");
                }
            }
            in.flip();
        }

        private int length(int index) {
            int length = 0;
            for (int i = index; in.get(i) >= '0' && in.get(i) <= '9'; i++) {
                length = 10 * length + in.get(i) - '0';
            }
            return length;
        }

        private String text(int end) {
            byte[] line = new byte[end - in.position()];
            in.get(in.position(), line);
            return new String(line, StandardCharsets.US_ASCII).stripTrailing();
        }

        void close() {
            try {
                socket.close();
            } catch (IOException e) {
                // The socket is not used any more.
            }
        }
    }
}
