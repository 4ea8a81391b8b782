// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A proxy that counts commands, and gives no reply to the client before it has so many of them. So they are sent before
 * any reply is awaited: they take one round trip.
 */
final class HoldingProxy implements AutoCloseable {

    private final InetSocketAddress target;
    private final ServerSocket acceptor;

    // Guarded by this.
    private final List<String> commands = new ArrayList<>();
    private final List<Socket> sockets = new ArrayList<>();
    private int needed;

    HoldingProxy(InetSocketAddress target) throws IOException {
        this.target = target;
        this.acceptor = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) acceptor.getLocalSocketAddress();
    }

    /** Forgets the commands so far, and holds the replies until there are so many. */
    synchronized void holdUntil(int count) {
        commands.clear();
        needed = count;
    }

    /**
     * The verbs of the commands since then with keys of the cache: connections have others of their own. A {@code get}
     * of many keys is an {@code mg} of each.
     */
    synchronized List<String> commands() {
        return List.copyOf(commands);
    }

    private void accept() {
        try {
            while (true) {
                Socket client = acceptor.accept();
                Socket server = new Socket(target.getAddress(), target.getPort());
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                synchronized (this) {
                    sockets.add(client);
                    sockets.add(server);
                }
                start(() -> passCommands(client.getInputStream(), server.getOutputStream()));
                start(() -> passReplies(server.getInputStream(), client.getOutputStream()));
            }
        } catch (IOException e) {
            // The proxy is closed.
        }
    }

    private void passCommands(InputStream in, OutputStream out) throws IOException {
        StringBuilder line = new StringBuilder();
        byte[] buffer = new byte[8192];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            for (char c : new String(buffer, 0, read, ISO_8859_1).toCharArray()) {
                line.append(c);
                if (c == '\n') {
                    count(line.toString());
                    line.setLength(0);
                }
            }
            out.write(buffer, 0, read);
        }
    }

    private synchronized void count(String line) {
        String[] words = line.trim().split(" ");
        if (words.length == 1 || !words[1].startsWith("books::")) {
            return;
        }
        if (words[0].equals("get")) {
            commands.addAll(Collections.nCopies(words.length - 1, "mg"));
        } else if (List.of("mg", "ms", "md", "ma").contains(words[0])) {
            commands.add(words[0]);
        }
        notifyAll();
    }

    private void passReplies(InputStream in, OutputStream out) throws IOException, InterruptedException {
        byte[] buffer = new byte[8192];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            synchronized (this) {
                while (commands.size() < needed) {
                    wait();
                }
            }
            out.write(buffer, 0, read);
        }
    }

    private interface Task {
        void run() throws IOException, InterruptedException;
    }

    private static void start(Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (IOException | InterruptedException e) {
                // The connection is closed.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public synchronized void close() throws IOException {
        acceptor.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
