// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import static io.netty.handler.codec.dns.DnsRecordType.A;
import static io.netty.handler.codec.dns.DnsRecordType.AAAA;
import static io.netty.handler.codec.dns.DnsRecordType.SRV;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.dns.DefaultDnsRawRecord;
import io.netty.handler.codec.dns.DefaultDnsResponse;
import io.netty.handler.codec.dns.DnsQuery;
import io.netty.handler.codec.dns.DnsQuestion;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponse;
import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.handler.codec.dns.DnsSection;
import io.netty.handler.codec.dns.TcpDnsQueryDecoder;
import io.netty.handler.codec.dns.TcpDnsResponseEncoder;
import io.netty.util.NetUtil;
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
        /** Answer a tenth of the records over UDP and all over TCP. */
        TRUNCATED,
        /** The same, and nothing over TCP. */
        TRUNCATED_WITHOUT_TCP
    }

    private final DatagramSocket udp;
    private final ServerSocket tcp;
    private final Map<String, List<byte[]>> records = new ConcurrentHashMap<>();
    private final Map<String, String> aliases = new ConcurrentHashMap<>();
    private final List<String> questions = new CopyOnWriteArrayList<>();
    private volatile Mood mood = Mood.ANSWER;

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

    /** The addresses of a name from now on, of either IP version; none for no such records. */
    public ScriptedDns addresses(String name, String... ips) {
        List<byte[]> all =
                Stream.of(ips).map(NetUtil::createByteArrayFromIpAddressString).toList();
        records.put(key(A, name), all.stream().filter(ip -> ip.length == 4).toList());
        records.put(key(AAAA, name), all.stream().filter(ip -> ip.length == 16).toList());
        return this;
    }

    /** The records SRV of a name from now on, each as {@code priority weight port target}. */
    public ScriptedDns services(String name, String... services) {
        records.put(
                key(SRV, name), Stream.of(services).map(ScriptedDns::service).toList());
        return this;
    }

    private static byte[] service(String text) {
        String[] parts = text.split(" ", -1);
        ByteBuf data = Unpooled.buffer();
        IntStream.range(0, 3).forEach(i -> data.writeShort(Integer.parseInt(parts[i])));
        return ByteBufUtil.getBytes(data.writeBytes(name(parts[3])));
    }

    /**
     * An alias from now on: the answer to a question for it has a CNAME, and the records of the name that it stands
     * for.
     */
    public ScriptedDns alias(String name, String of) {
        aliases.put(name.toLowerCase(Locale.ROOT), of);
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

    private static String key(DnsRecordType type, String name) {
        return type.name() + " " + name.toLowerCase(Locale.ROOT);
    }

    private static byte[] name(String name) {
        ByteBuf labels = Unpooled.buffer();
        Stream.of(name.split("\\."))
                .filter(label -> !label.isEmpty())
                .forEach(label -> labels.writeByte(label.length()).writeBytes(label.getBytes(ISO_8859_1)));
        return ByteBufUtil.getBytes(labels.writeByte(0));
    }

    private void serveUdp() {
        while (!udp.isClosed()) {
            try {
                DatagramPacket packet = new DatagramPacket(new byte[4096], 4096);
                udp.receive(packet);
                byte[] answer = answer(Arrays.copyOf(packet.getData(), packet.getLength()), true);
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
                byte[] answer = answer(question, false);
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

    private byte[] answer(byte[] message, boolean overUdp) {
        EmbeddedChannel codec = new EmbeddedChannel(new TcpDnsQueryDecoder(), new TcpDnsResponseEncoder());
        codec.writeInbound(Unpooled.buffer().writeShort(message.length).writeBytes(message));
        DnsQuery query = codec.readInbound();
        DnsQuestion question = query.recordAt(DnsSection.QUESTION);
        query.release();
        String name = question.name().substring(0, question.name().length() - 1);
        questions.add(question.type().name() + ' ' + name);
        Mood now = mood;
        if (now == Mood.SILENT_ONCE) {
            mood = Mood.ANSWER;
        }
        if (now == Mood.SILENT || now == Mood.SILENT_ONCE || (now == Mood.TRUNCATED_WITHOUT_TCP && !overUdp)) {
            return new byte[0];
        }
        if (now == Mood.GARBAGE) {
            return new byte[] {message[0], message[1], -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 63, 1};
        }
        DnsResponse response = new DefaultDnsResponse(query.id());
        response.addRecord(DnsSection.QUESTION, question);
        String owner = name;
        for (String next = aliases.get(name.toLowerCase(Locale.ROOT)); next != null; next = aliases.get(owner)) {
            add(response, owner, DnsRecordType.CNAME, name(next));
            owner = next;
        }
        List<byte[]> found = records.get(key(question.type(), owner));
        boolean isTruncated = overUdp && (now == Mood.TRUNCATED || now == Mood.TRUNCATED_WITHOUT_TCP);
        if (now == Mood.SERVFAIL || found == null) {
            response.setCode(now == Mood.SERVFAIL ? DnsResponseCode.SERVFAIL : DnsResponseCode.NXDOMAIN);
        } else if (now != Mood.EMPTY) {
            for (byte[] data : found.subList(0, isTruncated ? (found.size() + 9) / 10 : found.size())) {
                add(response, owner, question.type(), now == Mood.BAD_RECORDS ? Arrays.copyOf(data, 3) : data);
            }
        }
        codec.writeOutbound(response.setTruncated(isTruncated));
        ByteBuf answer = codec.readOutbound();
        byte[] bytes = ByteBufUtil.getBytes(answer.skipBytes(Short.BYTES)); // Without the length, which TCP has.
        answer.release();
        return bytes;
    }

    private void add(DnsResponse response, String name, DnsRecordType type, byte[] data) {
        response.addRecord(DnsSection.ANSWER, new DefaultDnsRawRecord(name, type, 30, Unpooled.wrappedBuffer(data)));
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
