// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A name server on the loopback address, over UDP and TCP, whose records change and which misbehaves when told.
 *
 * <p>Threading: thread-safe; two daemon threads answer.
 */
public final class ScriptedDns implements AutoCloseable {

    /** What to do with questions. */
    public enum Mood {
        /** Answer them. */
        ANSWER,
        /** Answer nothing. */
        SILENT,
        /** Answer nothing to the next question, and answer those after it. */
        SILENT_ONCE,
        /** Answer that it failed. */
        SERVFAIL,
        /** Answer that there are no such records. */
        EMPTY,
        /** Answer bytes that are no message. */
        GARBAGE,
        /** Answer records whose data is cut short. */
        BAD_RECORDS,
        /** Answer half of the records over UDP and all over TCP. */
        TRUNCATED,
        /** The same, and nothing over TCP. */
        TRUNCATED_WITHOUT_TCP
    }

    private static final int A = 1;
    private static final int CNAME = 5;
    private static final int SRV = 33;
    private static final int AAAA = 28;
    private static final int NXDOMAIN = 3;
    private static final int SERVER_FAILED = 2;

    private final DatagramSocket udp;
    private final ServerSocket tcp;
    private final Map<String, List<byte[]>> records = new ConcurrentHashMap<>();
    private final Map<String, String> aliases = new ConcurrentHashMap<>();
    private final List<String> questions = new CopyOnWriteArrayList<>();
    private volatile Mood mood = Mood.ANSWER;
    private volatile int ttlSeconds = 30;
    private volatile boolean unaskedRecords;

    private ScriptedDns(ServerSocket tcp, DatagramSocket udp) {
        this.tcp = tcp;
        this.udp = udp;
        start("udp", this::serveUdp);
        start("tcp", this::serveTcp);
    }

    /** Starts a server that knows no name. */
    public static ScriptedDns start() {
        try {
            while (true) {
                ServerSocket tcp = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                try {
                    return new ScriptedDns(tcp, new DatagramSocket(tcp.getLocalSocketAddress()));
                } catch (BindException e) {
                    tcp.close(); // Another program has the port for UDP.
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void start(String what, Runnable task) {
        Thread thread = new Thread(task, "scripted-dns-" + what);
        thread.setDaemon(true);
        thread.start();
    }

    /** Whom to ask. */
    public InetSocketAddress address() {
        return (InetSocketAddress) tcp.getLocalSocketAddress();
    }

    /** How to answer from now on. */
    public ScriptedDns mood(Mood newMood) {
        mood = newMood;
        return this;
    }

    /** The time to live of all records from now on. */
    public ScriptedDns ttl(int seconds) {
        ttlSeconds = seconds;
        return this;
    }

    /** The addresses of a name from now on, of either IP version; none for no such records. */
    public ScriptedDns addresses(String name, String... ips) {
        List<InetAddress> all = Stream.of(ips).map(ScriptedDns::address).toList();
        records.put(
                key(A, name),
                all.stream()
                        .map(InetAddress::getAddress)
                        .filter(ip -> ip.length == 4)
                        .toList());
        records.put(
                key(AAAA, name),
                all.stream()
                        .map(InetAddress::getAddress)
                        .filter(ip -> ip.length == 16)
                        .toList());
        return this;
    }

    private static InetAddress address(String ip) {
        try {
            return InetAddress.getByName(ip);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The records SRV of a name from now on, each as {@code priority weight port target}. */
    public ScriptedDns services(String name, String... services) {
        records.put(
                key(SRV, name), Stream.of(services).map(ScriptedDns::service).toList());
        return this;
    }

    private static byte[] service(String text) {
        String[] parts = text.split(" ", -1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < 3; i++) {
            int number = Integer.parseInt(parts[i]);
            out.write(number >> 8);
            out.write(number);
        }
        out.writeBytes(name(parts[3]));
        return out.toByteArray();
    }

    /**
     * An alias from now on: the answer to a question for it has a CNAME, and the records of the name that it stands
     * for.
     */
    public ScriptedDns alias(String name, String of) {
        aliases.put(name.toLowerCase(Locale.ROOT), of);
        return this;
    }

    /** Adds a record of a name that was not asked for to each answer from now on. */
    public ScriptedDns addsUnaskedRecords(boolean adds) {
        unaskedRecords = adds;
        return this;
    }

    /** A name that does not exist from now on. */
    public ScriptedDns forget(String name) {
        Stream.of(A, AAAA, SRV).forEach(type -> records.remove(key(type, name)));
        return this;
    }

    /**
     * All questions so far, as type and name. One that follows its like is left out, because a client asks again after
     * two seconds without an answer.
     */
    public List<String> questions() {
        List<String> all = List.copyOf(questions);
        return IntStream.range(0, all.size())
                .filter(i -> i == 0 || !all.get(i).equals(all.get(i - 1)))
                .mapToObj(all::get)
                .toList();
    }

    private static String key(int type, String name) {
        return type + " " + name.toLowerCase(Locale.ROOT);
    }

    private static byte[] name(String name) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (String label : name.split("\\.")) {
            if (!label.isEmpty()) {
                out.write(label.length());
                out.writeBytes(label.getBytes(ISO_8859_1));
            }
        }
        out.write(0);
        return out.toByteArray();
    }

    private void serveUdp() {
        while (!udp.isClosed()) {
            try {
                DatagramPacket packet = new DatagramPacket(new byte[4096], 4096);
                udp.receive(packet);
                byte[] answer = answer(ByteBuffer.wrap(packet.getData(), 0, packet.getLength()), true);
                if (answer.length > 0) {
                    udp.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
                }
            } catch (IOException e) {
                // Closed, or the asker has gone.
            }
        }
    }

    private void serveTcp() {
        while (!tcp.isClosed()) {
            try (Socket socket = tcp.accept()) {
                DataInputStream in = new DataInputStream(socket.getInputStream());
                byte[] question = in.readNBytes(in.readUnsignedShort());
                byte[] answer = answer(ByteBuffer.wrap(question), false);
                if (answer.length > 0) {
                    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
                    out.writeShort(answer.length);
                    out.write(answer);
                    out.flush();
                }
            } catch (IOException e) {
                // Closed, or the asker has gone.
            }
        }
    }

    private byte[] answer(ByteBuffer message, boolean overUdp) {
        short id = message.getShort(0);
        message.position(12);
        List<String> labels = new ArrayList<>();
        for (int length = message.get(); length > 0; length = message.get()) {
            byte[] label = new byte[length];
            message.get(label);
            labels.add(new String(label, ISO_8859_1));
        }
        int type = message.getShort();
        String name = String.join(".", labels);
        questions.add((type == A ? "A " : type == AAAA ? "AAAA " : "SRV ") + name);
        Mood now = mood;
        if (now == Mood.SILENT_ONCE) {
            mood = Mood.ANSWER;
        }
        String owner = name;
        ByteBuffer chain = ByteBuffer.allocate(4096);
        int links = 0;
        for (String next = aliases.get(name.toLowerCase(Locale.ROOT)); next != null; next = aliases.get(owner)) {
            putRecord(chain, name(owner), CNAME, name(next));
            owner = next;
            links++;
        }
        List<byte[]> found = records.get(key(type, owner));
        boolean isTruncated = now == Mood.TRUNCATED || now == Mood.TRUNCATED_WITHOUT_TCP;
        if (now == Mood.SILENT || now == Mood.SILENT_ONCE || (now == Mood.TRUNCATED_WITHOUT_TCP && !overUdp)) {
            return new byte[0];
        }
        if (now == Mood.GARBAGE) {
            return new byte[] {(byte) (id >> 8), (byte) id, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 63, 1};
        }
        int code = now == Mood.SERVFAIL ? SERVER_FAILED : found == null ? NXDOMAIN : 0;
        List<byte[]> told = code != 0 || now == Mood.EMPTY ? List.of() : found;
        if (isTruncated && overUdp) {
            told = told.subList(0, told.size() / 2);
        }
        ByteBuffer out = ByteBuffer.allocate(60_000);
        out.putShort(id);
        out.putShort((short) (0x8180 | code | (isTruncated && overUdp ? 0x200 : 0)));
        int count = told.size() + links + (unaskedRecords ? 1 : 0);
        out.putShort((short) 1).putShort((short) count).putInt(0);
        out.put(name(name)).putShort((short) type).putShort((short) 1);
        if (unaskedRecords) {
            putRecord(
                    out,
                    name("elsewhere.example"),
                    type,
                    type == SRV ? service("0 0 1 evil") : new byte[type == A ? 4 : 16]);
        }
        out.put(chain.flip());
        byte[] toTheQuestion = {(byte) 0xc0, 12};
        for (byte[] data : told) {
            byte[] written = now == Mood.BAD_RECORDS ? Arrays.copyOf(data, 3) : data;
            putRecord(out, links == 0 ? toTheQuestion : name(owner), type, written);
        }
        byte[] answer = new byte[out.position()];
        out.flip().get(answer);
        return answer;
    }

    private void putRecord(ByteBuffer out, byte[] name, int type, byte[] data) {
        out.put(name).putShort((short) type).putShort((short) 1).putInt(ttlSeconds);
        out.putShort((short) data.length).put(data);
    }

    @Override
    public void close() {
        udp.close();
        try {
            tcp.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
