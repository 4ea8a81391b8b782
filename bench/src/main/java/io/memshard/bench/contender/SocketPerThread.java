// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * A blocking socket of its own for every calling thread, with the meta protocol written by hand. It is no client, but
 * the least that a call can cost when each thread does its own I/O.
 *
 * <p>Protocol: {@code mg <key> v} and {@code ms <key> <length>}.
 */
final class SocketPerThread implements Contender {

    private final ContenderSettings settings;
    private final Queue<Line> opened = new ConcurrentLinkedQueue<>();

    @SuppressWarnings("ThreadLocalUsage") // Ends with the threads of the run.
    private final ThreadLocal<@Nullable Line> lines = new ThreadLocal<>();

    SocketPerThread(ContenderSettings settings) {
        this.settings = settings;
    }

    private Line line() throws IOException {
        Line line = lines.get();
        if (line == null) {
            line = new Line(settings);
            opened.add(line);
            lines.set(line);
        }
        return line;
    }

    @Override
    public byte @Nullable [] get(String key) throws IOException {
        Line line = line();
        try {
            return line.get(key);
        } catch (IOException e) {
            abandon(line);
            throw e;
        }
    }

    @Override
    public void set(String key, byte[] value) throws IOException {
        Line line = line();
        try {
            line.set(key, value);
        } catch (IOException e) {
            abandon(line);
            throw e;
        }
    }

    /** After a failure the next reply could be that of an earlier command, so the socket goes. */
    private void abandon(Line line) {
        lines.remove();
        opened.remove(line);
        line.close();
    }

    @Override
    public void close() {
        opened.forEach(Line::close);
    }

    /** One socket with its buffers; confined to the thread that opened it, but for {@link #close}. */
    private static final class Line {

        private static final int LONGEST_REPLY_LINE = 2048;

        private final Socket socket;
        private final InputStream in;
        private final OutputStream out;
        private final StringBuilder text = new StringBuilder(LONGEST_REPLY_LINE);

        Line(ContenderSettings settings) throws IOException {
            socket = new Socket();
            int timeoutMillis = (int) ContenderSettings.TIMEOUT.toMillis();
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(timeoutMillis);
            socket.connect(settings.server(), timeoutMillis);
            in = new BufferedInputStream(socket.getInputStream(), 16 * 1024);
            out = socket.getOutputStream();
        }

        byte @Nullable [] get(String key) throws IOException {
            out.write(("mg " + key + " v\r\n").getBytes(StandardCharsets.US_ASCII));
            String reply = readLine();
            if (reply.equals("EN")) {
                return null;
            }
            if (!reply.startsWith("VA ")) {
                throw new IOException("unexpected reply to mg: " + reply);
            }
            byte[] value = in.readNBytes(Integer.parseInt(reply, 3, endOfNumber(reply), 10));
            if (in.read() != '\r' || in.read() != '\n') {
                throw new IOException("value longer than announced");
            }
            return value;
        }

        void set(String key, byte[] value) throws IOException {
            byte[] head = ("ms " + key + " " + value.length + "\r\n").getBytes(StandardCharsets.US_ASCII);
            byte[] command = new byte[head.length + value.length + 2];
            System.arraycopy(head, 0, command, 0, head.length);
            System.arraycopy(value, 0, command, head.length, value.length);
            command[command.length - 2] = '\r';
            command[command.length - 1] = '\n';
            out.write(command);
            String reply = readLine();
            if (!reply.startsWith("HD")) {
                throw new IOException("unexpected reply to ms: " + reply);
            }
        }

        private String readLine() throws IOException {
            text.setLength(0);
            int next;
            while ((next = in.read()) != '\r') {
                if (next < 0) {
                    throw new EOFException("the server closed the connection");
                }
                text.append((char) next);
            }
            if (in.read() != '\n') {
                throw new IOException("carriage return without newline");
            }
            return text.toString();
        }

        private static int endOfNumber(String reply) {
            int space = reply.indexOf(' ', 3);
            return space < 0 ? reply.length() : space;
        }

        void close() {
            try {
                socket.close();
            } catch (IOException e) {
                // Nothing is lost: the socket is given up either way.
            }
        }
    }
}
