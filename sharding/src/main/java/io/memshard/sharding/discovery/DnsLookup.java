// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufHolder;
import io.netty.channel.AddressedEnvelope;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.dns.DefaultDnsQuestion;
import io.netty.handler.codec.dns.DefaultDnsRecordDecoder;
import io.netty.handler.codec.dns.DnsQuestion;
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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Lookup in the DNS: queries name servers over UDP with Netty's resolver, and over TCP if an answer is truncated.
 * Caches nothing. No other class of this package uses Netty.
 *
 * <p>Each question is sent to one name server after another, in at most two rounds, until a name server answers without
 * an error. The reply that a name does not exist is not an error.
 *
 * <p>Threading: confined to the thread of its {@code Discovery}. An event-loop thread runs until {@link #close}.
 */
final class DnsLookup implements AutoCloseable {

    enum Records {
        A,
        AAAA,
        SRV
    }

    /**
     * Answer to a question: either addresses or services, in any order.
     *
     * @param ttlSeconds the shortest time to live of the records
     */
    record Answer(List<InetAddress> addresses, List<Service> services, long ttlSeconds) {}

    /**
     * SRV record (RFC 2782).
     *
     * @param target a host name, without a trailing dot; empty if the service does not exist
     */
    record Service(int priority, int weight, int port, String target) {}

    private static final int ROUNDS = 2;

    /**
     * Number of waits per name server: for the answer over UDP, for the TCP connection, and for the answer over TCP.
     */
    private static final int STEPS = 3;

    private static final long LONGEST_MILLIS = 2_000;

    private static final long SHUTDOWN_MILLIS = 2_000;

    private final EventLoopGroup loop;
    private final DnsNameResolver resolver;
    private final List<InetSocketAddress> nameServers;
    private final long deadlineNanos;
    private final int stepMillis;

    /**
     * Creates a lookup.
     *
     * @param nameServers the name servers to query; if empty, those of the system are queried
     * @param deadlineNanos the {@link System#nanoTime()} after which no question is sent. The answer to an earlier
     *     question may arrive after the deadline
     */
    @SuppressWarnings("deprecation") // The replacements of the deprecated types exist only in Netty 4.2.
    DnsLookup(List<InetSocketAddress> nameServers, long deadlineNanos) {
        this.nameServers = nameServers.isEmpty() ? ofSystem() : nameServers;
        this.deadlineNanos = deadlineNanos;
        long share = (deadlineNanos - System.nanoTime()) / ((long) STEPS * ROUNDS * this.nameServers.size());
        stepMillis = (int) Math.max(1, Math.min(LONGEST_MILLIS, TimeUnit.NANOSECONDS.toMillis(share)));
        loop = new NioEventLoopGroup(1, new DefaultThreadFactory("memshard-discovery-dns", true));
        resolver = new DnsNameResolverBuilder(loop.next())
                .channelType(NioDatagramChannel.class)
                .socketChannelType(NioSocketChannel.class)
                .queryTimeoutMillis(stepMillis)
                .build();
    }

    private static List<InetSocketAddress> ofSystem() {
        DnsServerAddressStream stream =
                DnsServerAddressStreamProviders.platformDefault().nameServerAddressStream("");
        List<InetSocketAddress> servers = new ArrayList<>();
        for (int i = 0; i < stream.size(); i++) {
            servers.add(stream.next());
        }
        if (servers.isEmpty()) {
            throw new IllegalStateException(
                    "the system has no DNS name servers: set name servers with DnsSource.withNameServers");
        }
        return servers;
    }

    /**
     * Returns an answer with at least one record for a full name.
     *
     * @throws UnknownHostException if the name does not exist, or has no records of this type
     * @throws IOException if no name server answers in time
     */
    Answer query(String name, Records type) throws IOException, InterruptedException {
        IOException failure = new IOException("the timeout expired before " + name + " was queried");
        for (int i = 0; i < ROUNDS * nameServers.size() && deadlineNanos - System.nanoTime() > 0; i++) {
            InetSocketAddress nameServer = nameServers.get(i % nameServers.size());
            try {
                return query(nameServer, name, type);
            } catch (UnknownHostException e) {
                throw e;
            } catch (IOException e) {
                failure = e;
            }
        }
        throw failure;
    }

    private Answer query(InetSocketAddress nameServer, String name, Records type)
            throws IOException, InterruptedException {
        DnsQuestion question = new DefaultDnsQuestion(name, DnsRecordType.valueOf(type.name()));
        String queried = "name server " + nameServer.getAddress().getHostAddress() + ":" + nameServer.getPort()
                + ", queried for " + type + " of " + name;
        Future<AddressedEnvelope<DnsResponse, InetSocketAddress>> answered = resolver.query(nameServer, question);
        try {
            if (!answered.await((long) STEPS * stepMillis)) {
                throw new IOException(queried + ", did not answer in time");
            } else if (!answered.isSuccess()) {
                throw new IOException(queried + ", did not answer", answered.cause());
            }
            DnsResponse response = answered.getNow().content();
            if (response.isTruncated()) {
                // If TCP fails, Netty returns the truncated answer. An incomplete list of servers is worse than none.
                throw new IOException(queried + ", truncated its answer, and did not send it over TCP");
            }
            return read(response, queried, type);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new IOException(queried + ", sent an unreadable answer", e);
        } finally {
            releaseWhenComplete(answered);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Returns the same future.
    private static void releaseWhenComplete(Future<AddressedEnvelope<DnsResponse, InetSocketAddress>> answered) {
        answered.addListener(any -> {
            if (answered.isSuccess()) {
                answered.getNow().release();
            }
        });
    }

    private static Answer read(DnsResponse response, String queried, Records type) throws IOException {
        if (response.code().equals(DnsResponseCode.NXDOMAIN)) {
            throw new UnknownHostException(queried + ", answered NXDOMAIN: configure the fully qualified name");
        }
        if (!response.code().equals(DnsResponseCode.NOERROR)) {
            throw new IOException(queried + ", answered " + response.code());
        }
        List<InetAddress> addresses = new ArrayList<>();
        List<Service> services = new ArrayList<>();
        long ttl = Long.MAX_VALUE;
        Set<String> names = queriedNames(response);
        for (int i = 0; i < response.count(DnsSection.ANSWER); i++) {
            DnsRecord record = response.recordAt(DnsSection.ANSWER, i);
            if (!names.contains(record.name().toLowerCase(Locale.ROOT))) {
                continue;
            }
            ttl = Math.min(ttl, record.timeToLive());
            if (record instanceof ByteBufHolder holder && record.type().name().equals(type.name())) {
                ByteBuf data = holder.content().duplicate();
                if (type == Records.SRV) {
                    services.add(service(data));
                } else {
                    addresses.add(address(data));
                }
            }
        }
        if (addresses.isEmpty() && services.isEmpty()) {
            throw new UnknownHostException(queried + ", answered that the name has no such record");
        }
        return new Answer(addresses, services, ttl);
    }

    /** Returns the queried name, and the names to which CNAME records lead from the queried name. */
    private static Set<String> queriedNames(DnsResponse response) {
        Map<String, String> aliases = new HashMap<>();
        for (int i = 0; i < response.count(DnsSection.ANSWER); i++) {
            DnsRecord record = response.recordAt(DnsSection.ANSWER, i);
            if (record instanceof ByteBufHolder holder && record.type().equals(DnsRecordType.CNAME)) {
                String target =
                        DefaultDnsRecordDecoder.decodeName(holder.content().duplicate());
                aliases.put(record.name().toLowerCase(Locale.ROOT), target.toLowerCase(Locale.ROOT));
            }
        }
        Set<String> names = new HashSet<>();
        String name = response.recordAt(DnsSection.QUESTION).name().toLowerCase(Locale.ROOT);
        while (name != null && names.add(name)) {
            name = aliases.get(name);
        }
        return names;
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
