// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.web;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.memshard.bench.lab.experiment.OpenedArm;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/**
 * Caller of pages over one persistent connection: requests a page, reads it and compares it with the expected page.
 *
 * <p>Threading: confined to its caller, except {@link #close}.
 */
final class PageCaller implements OpenedArm.Cycle {

    private static final String LENGTH = "content-length:";
    private static final int TIMEOUT_MILLIS = 30_000;

    private final InetSocketAddress server;
    private final int first;
    private volatile @Nullable Socket socket;
    private @Nullable InputStream in;

    /**
     * Creates a caller that is not connected yet, and requests pages from {@code first} on; callers begin with
     * different pages.
     */
    PageCaller(InetSocketAddress server, int first) {
        this.server = server;
        this.first = first;
    }

    @Override
    public long run(long number) throws IOException {
        int page = (int) ((first + number) % PageServer.ROWS);
        try {
            String found = get(page);
            if (!found.equals(PageServer.page(page))) {
                throw new IOException("page " + page + " is " + found);
            }
            return found.length();
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private String get(int page) throws IOException {
        Socket connected = socket;
        InputStream from = in;
        if (connected == null || from == null) {
            connected = new Socket(server.getAddress(), server.getPort());
            connected.setTcpNoDelay(true);
            connected.setSoTimeout(TIMEOUT_MILLIS);
            from = new BufferedInputStream(connected.getInputStream());
            socket = connected;
            in = from;
        }
        OutputStream out = connected.getOutputStream();
        out.write(("GET /" + page + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(ISO_8859_1));
        out.flush();
        String status = line(from);
        int length = 0;
        for (String header = line(from); !header.isEmpty(); header = line(from)) {
            if (header.regionMatches(true, 0, LENGTH, 0, LENGTH.length())) {
                length = Integer.parseInt(header.substring(LENGTH.length()).strip());
            }
        }
        String body = new String(from.readNBytes(length), UTF_8);
        if (!status.startsWith("HTTP/1.1 200")) {
            throw new IOException(status + ": " + body);
        }
        return body;
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the server closed the connection");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    void close() throws IOException {
        Socket connected = socket;
        socket = null;
        in = null;
        if (connected != null) {
            connected.close();
        }
    }
}
