// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufHolder;
import io.netty.buffer.ByteBufUtil;
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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Lookup in the DNS with Netty's resolver, which repeats a question over TCP if an answer is truncated. Caches nothing,
 * and ignores records of names that were not queried. This is the only class of this package that uses Netty.
 *
 * <p>Each question is sent to one name server after another, in at most two rounds, until one answers without an error.
 * A reply that the name does not exist counts as an answer.
 *
 * <p>Threading: confined to the thread of its {@code Discovery}. Has an event-loop thread until it is closed.
 */
final class DnsLookup implements AutoCloseable {

    /**
     * Answer to a question.
     *
     * @param addresses the A or AAAA records, in any order
     * @param services the SRV records, in any order
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

    /** Steps per name server: the question over UDP, the TCP connection, and the question over TCP. */
    private static final int STEPS = 3;

    private static final long LONGEST_STEP_MILLIS = 2_000;
    private static final long SHUTDOWN_MILLIS = 2_000;

    private final EventLoopGroup loop;
    private final DnsNameResolver resolver;
    private final List<InetSocketAddress> nameServers;
    private final long deadlineNanos;

    /**
     * Creates a lookup.
     *
     * @param nameServers the name servers to query; empty for those of the system
     * @param deadlineNanos time after which no question is sent, in {@link System#nanoTime()}. A question sent earlier
     *     may exceed the deadline by the time allowed for one name server
     */
    @SuppressWarnings("deprecation") // Their replacements in Netty 4.2 do not exist in 4.1.
    DnsLookup(List<InetSocketAddress> nameServers, long deadlineNanos) {
        this.nameServers = nameServers.isEmpty() ? nameServersOfSystem() : nameServers;
        this.deadlineNanos = deadlineNanos;
        long share = (deadlineNanos - System.nanoTime()) / ((long) STEPS * ROUNDS * this.nameServers.size());
        loop = new NioEventLoopGroup(1, new DefaultThreadFactory("memshard-discovery-dns", true));
        resolver = new DnsNameResolverBuilder(loop.next())
                .channelType(NioDatagramChannel.class)
                .socketChannelType(NioSocketChannel.class)
                .queryTimeoutMillis(Math.max(1, Math.min(LONGEST_STEP_MILLIS, TimeUnit.NANOSECONDS.toMillis(share))))
                .build();
    }

    private static List<InetSocketAddress> nameServersOfSystem() {
        DnsServerAddressStream servers =
                DnsServerAddressStreamProviders.platformDefault().nameServerAddressStream("");
        if (servers.size() == 0) {
            throw new IllegalStateException("the system has no name servers: set some with withNameServers");
        }
        return Stream.generate(servers::next).limit(servers.size()).toList();
    }

    /**
     * Queries the name servers.
     *
     * @param name a full name
     * @param type A, AAAA or SRV
     * @return an answer with at least one record
     * @throws UnknownHostException if the name does not exist, or has no records of this type
     * @throws IOException if no name server answers in time
     */
    Answer query(String name, String type) throws IOException, InterruptedException {
        IOException failure = new IOException("no time was left to query " + name);
        for (int i = 0; i < ROUNDS * nameServers.size() && deadlineNanos - System.nanoTime() > 0; i++) {
            try {
                return query(nameServers.get(i % nameServers.size()), name, DnsRecordType.valueOf(type));
            } catch (UnknownHostException e) {
                throw e;
            } catch (IOException e) {
                failure = e;
            }
        }
        throw failure;
    }

    private Answer query(InetSocketAddress nameServer, String name, DnsRecordType type)
            throws IOException, InterruptedException {
        String queried = "name server " + nameServer.getAddress().getHostAddress() + ":" + nameServer.getPort()
                + ", queried for " + type.name() + " of " + name;
        Future<AddressedEnvelope<DnsResponse, InetSocketAddress>> answered =
                resolver.query(nameServer, new DefaultDnsQuestion(name, type));
        try {
            if (!answered.await().isSuccess()) {
                throw new IOException(queried + ", did not answer", answered.cause());
            }
            return read(answered.getNow().content(), queried, type);
        } catch (IllegalArgumentException | IndexOutOfBoundsException | DecoderException e) {
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

    private static Answer read(DnsResponse response, String queried, DnsRecordType type) throws IOException {
        if (response.isTruncated()) {
            // Of a truncated answer, an incomplete list of servers is worse than none.
            throw new IOException(queried + ", truncated its answer, and did not answer over TCP");
        }
        if (response.count(DnsSection.QUESTION) != 1) {
            throw new IOException(queried + ", answered another question");
        }
        if (response.code().equals(DnsResponseCode.NXDOMAIN)) {
            throw new UnknownHostException(queried + ", answered that the name does not exist: write the full name");
        }
        if (!response.code().equals(DnsResponseCode.NOERROR)) {
            throw new IOException(queried + ", answered " + response.code());
        }
        List<InetAddress> addresses = new ArrayList<>();
        List<Service> services = new ArrayList<>();
        long ttl = Long.MAX_VALUE;
        for (DnsRecord record : recordsOfQueriedName(response)) {
            ttl = Math.min(ttl, record.timeToLive());
            if (record instanceof ByteBufHolder holder && record.type().equals(type)) {
                ByteBuf data = holder.content().duplicate();
                if (type.equals(DnsRecordType.SRV)) {
                    services.add(service(data));
                } else {
                    addresses.add(InetAddress.getByAddress(ByteBufUtil.getBytes(data)));
                }
            }
        }
        if (addresses.isEmpty() && services.isEmpty()) {
            throw new UnknownHostException(queried + ", answered that the name has no such records");
        }
        return new Answer(addresses, services, ttl);
    }

    /** Returns the records of the name in the question, and of the names that it is an alias of. */
    private static List<DnsRecord> recordsOfQueriedName(DnsResponse response) {
        List<DnsRecord> records = IntStream.range(0, response.count(DnsSection.ANSWER))
                .mapToObj(i -> response.<DnsRecord>recordAt(DnsSection.ANSWER, i))
                .toList();
        Map<String, String> aliases = new HashMap<>();
        for (DnsRecord record : records) {
            if (record instanceof ByteBufHolder holder && record.type().equals(DnsRecordType.CNAME)) {
                aliases.put(
                        lowerCase(record.name()),
                        lowerCase(name(holder.content().duplicate())));
            }
        }
        Set<String> names = new HashSet<>();
        String name = lowerCase(response.recordAt(DnsSection.QUESTION).name());
        while (name != null && names.add(name)) {
            name = aliases.get(name);
        }
        return records.stream()
                .filter(record -> names.contains(lowerCase(record.name())))
                .toList();
    }

    private static String name(ByteBuf data) {
        return DefaultDnsRecordDecoder.decodeName(data);
    }

    private static String lowerCase(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    private static Service service(ByteBuf data) {
        int priority = data.readUnsignedShort();
        int weight = data.readUnsignedShort();
        int port = data.readUnsignedShort();
        String target = name(data);
        return new Service(
                priority, weight, port, target.endsWith(".") ? target.substring(0, target.length() - 1) : target);
    }

    @Override
    public void close() {
        resolver.close();
        loop.shutdownGracefully(0, SHUTDOWN_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly(2 * SHUTDOWN_MILLIS);
    }
}
