// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A socket that sends bytes and reads replies, for tests that speak the protocol by hand. */
public final class RawClient implements AutoCloseable {

    /** Mark at the end of the replies of a connection that the server has closed. */
    public static final String CLOSED = "<closed>";

    private static final int TIMEOUT_MILLIS = 60_000;
    private static final String BARRIER = "version\r\n";

    private final Socket socket = new Socket();

    public RawClient(InetSocketAddress address) throws IOException {
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        socket.connect(address, TIMEOUT_MILLIS);
    }

    /** Sends a script and then {@code version}, and returns the replies before the version. */
    public static String ask(MemcachedServer server, String script) throws IOException {
        try (RawClient client = new RawClient(server.address())) {
            return client.ask(script);
        }
    }

    public String ask(String script) throws IOException {
        send(script + BARRIER);
        ByteArrayOutputStream replies = new ByteArrayOutputStream();
        while (true) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                return replies.toString(StandardCharsets.ISO_8859_1) + CLOSED;
            }
            replies.write(next);
            if (next == '\n') {
                String text = replies.toString(StandardCharsets.ISO_8859_1);
                int lastLine = text.lastIndexOf('\n', text.length() - 2) + 1;
                if (text.startsWith("VERSION ", lastLine)) {
                    return text.substring(0, lastLine);
                }
            }
        }
    }

    public void send(String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /** Reads exactly this many bytes. */
    public String read(int length) throws IOException {
        return new String(socket.getInputStream().readNBytes(length), StandardCharsets.ISO_8859_1);
    }

    /** Reads until the server closes. */
    public String readToEnd() throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    public Socket socket() {
        return socket;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
