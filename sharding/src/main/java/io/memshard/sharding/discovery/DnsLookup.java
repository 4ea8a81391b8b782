// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import io.memshard.sharding.discovery.DnsAnswer.Service;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufHolder;
import io.netty.channel.AddressedEnvelope;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.dns.DefaultDnsQuestion;
import io.netty.handler.codec.dns.DefaultDnsRecordDecoder;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponse;
import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.handler.codec.dns.DnsSection;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.DnsServerAddressStream;
import io.netty.resolver.dns.DnsServerAddressStreamProviders;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Asks name servers by Netty's resolver, over UDP, and over TCP where an answer is cut short. Nothing is cached. The
 * only class here that knows Netty.
 *
 * <p>Each question goes to one name server after the other until one answers, twice round. That a name does not exist
 * is an answer.
 *
 * <p>Threading: confined to the thread of its {@code Discovery}. It has a thread of its own until it is closed.
 */
final class DnsLookup implements AutoCloseable {

    /** The types of questions. */
    enum Type {
        A,
        AAAA,
        SRV
    }

    private static final int ROUNDS = 2;

    /** How long one name server may take at most. */
    private static final long LONGEST_MILLIS = 2_000;

    private static final long SHUTDOWN_MILLIS = 2_000;

    private final EventLoopGroup loop;
    private final DnsNameResolver resolver;
    private final List<InetSocketAddress> nameServers;
    private final long deadlineNanos;

    /**
     * A lookup.
     *
     * @param nameServers whom to ask; empty for those of the system
     * @param deadlineNanos by when all questions must be answered, in {@link System#nanoTime()}
     */
    @SuppressWarnings("deprecation") // What Netty 4.2 has in their place is not in 4.1.
    DnsLookup(List<InetSocketAddress> nameServers, long deadlineNanos) {
        this.nameServers = nameServers.isEmpty() ? ofSystem() : nameServers;
        this.deadlineNanos = deadlineNanos;
        long timeoutNanos = (deadlineNanos - System.nanoTime()) / (ROUNDS * this.nameServers.size());
        loop = new NioEventLoopGroup(1, new DefaultThreadFactory("memshard-discovery-dns", true));
        resolver = new DnsNameResolverBuilder(loop.next())
                .channelType(NioDatagramChannel.class)
                .socketChannelType(NioSocketChannel.class)
                .queryTimeoutMillis(Math.max(1, Math.min(LONGEST_MILLIS, TimeUnit.NANOSECONDS.toMillis(timeoutNanos))))
                .build();
    }

    private static List<InetSocketAddress> ofSystem() {
        DnsServerAddressStream stream =
                DnsServerAddressStreamProviders.platformDefault().nameServerAddressStream("");
        List<InetSocketAddress> servers = new ArrayList<>();
        for (int i = 0; i < stream.size(); i++) {
            servers.add(stream.next());
        }
        return servers;
    }

    /**
     * Asks.
     *
     * @param name a full name
     * @return an answer with at least one record
     * @throws UnknownHostException if there is no such name, or it has no records of this type
     * @throws IOException if no name server answers in time
     */
    DnsAnswer ask(String name, Type type) throws IOException, InterruptedException {
        IOException failure = new IOException("there was no time left to ask for " + name);
        for (int i = 0; i < ROUNDS * nameServers.size() && deadlineNanos - System.nanoTime() > 0; i++) {
            InetSocketAddress nameServer = nameServers.get(i % nameServers.size());
            try {
                return ask(nameServer, name, type);
            } catch (UnknownHostException e) {
                throw e;
            } catch (IOException e) {
                failure = e;
            }
        }
        throw failure;
    }

    private DnsAnswer ask(InetSocketAddress nameServer, String name, Type type)
            throws IOException, InterruptedException {
        Future<AddressedEnvelope<DnsResponse, InetSocketAddress>> answered =
                resolver.query(nameServer, new DefaultDnsQuestion(name, DnsRecordType.valueOf(type.name())));
        String asked = "name server " + nameServer.getAddress().getHostAddress() + ":" + nameServer.getPort()
                + ", asked for " + type + " of " + name;
        try {
            if (!answered.await(Math.max(1, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS)
                    || !answered.isSuccess()) {
                throw new IOException(asked + ", did not answer", answered.cause());
            }
            return read(answered.getNow().content(), asked, type);
        } catch (IllegalArgumentException | IndexOutOfBoundsException | DecoderException e) {
            throw new IOException(asked + ", answered a record that cannot be read", e);
        } finally {
            releaseOnceThere(answered);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // It is the same future.
    private static void releaseOnceThere(Future<AddressedEnvelope<DnsResponse, InetSocketAddress>> answered) {
        answered.addListener(any -> {
            if (answered.isSuccess()) {
                answered.getNow().release();
            }
        });
    }

    private static DnsAnswer read(DnsResponse response, String asked, Type type) throws IOException {
        if (response.code().equals(DnsResponseCode.NXDOMAIN)) {
            throw new UnknownHostException(asked + ", answered that there is no such name: write the full name");
        }
        if (!response.code().equals(DnsResponseCode.NOERROR)) {
            throw new IOException(asked + ", answered " + response.code());
        }
        if (response.isTruncated()) {
            throw new IOException(asked + ", cut its answer short, and did not answer over TCP");
        }
        List<InetAddress> addresses = new ArrayList<>();
        List<Service> services = new ArrayList<>();
        long ttl = Long.MAX_VALUE;
        for (int i = 0; i < response.count(DnsSection.ANSWER); i++) {
            DnsRecord record = response.recordAt(DnsSection.ANSWER, i);
            ttl = Math.min(ttl, record.timeToLive());
            if (record instanceof ByteBufHolder holder && record.type().name().equals(type.name())) {
                ByteBuf data = holder.content().duplicate();
                if (type == Type.SRV) {
                    services.add(service(data));
                } else {
                    addresses.add(address(data));
                }
            }
        }
        if (addresses.isEmpty() && services.isEmpty()) {
            throw new UnknownHostException(asked + ", answered that it has none");
        }
        return new DnsAnswer(addresses, services, ttl);
    }

    private static InetAddress address(ByteBuf data) throws UnknownHostException {
        byte[] bytes = new byte[data.readableBytes()];
        data.readBytes(bytes);
        return InetAddress.getByAddress(bytes);
    }

    private static Service service(ByteBuf data) {
        int priority = data.readUnsignedShort();
        int weight = data.readUnsignedShort();
        int port = data.readUnsignedShort();
        String target = DefaultDnsRecordDecoder.decodeName(data);
        return new Service(
                priority, weight, port, target.endsWith(".") ? target.substring(0, target.length() - 1) : target);
    }

    @Override
    public void close() {
        resolver.close();
        loop.shutdownGracefully(0, SHUTDOWN_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly(2 * SHUTDOWN_MILLIS);
    }
}
