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
import java.util.stream.IntStream;

/** Lookup in the DNS, without a cache. Only this class uses Netty's DNS resolver, which is optional. */
final class DnsLookup implements AutoCloseable {

    /** SRV record (RFC 2782). The target has no trailing dot, and is empty if the service does not exist. */
    record Service(int priority, int port, String target) {}

    @FunctionalInterface
    private interface Decoder<T> {
        T decode(ByteBuf data) throws IOException;
    }

    private static final int ROUNDS = 2;

    /** Number of waits per name server: for the UDP answer, for the TCP connection, and for the TCP answer. */
    private static final int STEPS = 3;

    private static final long LONGEST_MILLIS = 2_000;

    private final EventLoopGroup loop;
    private final DnsNameResolver resolver;
    private final List<InetSocketAddress> nameServers;
    private final long deadlineNanos;
    private final int stepMillis;

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
        return IntStream.range(0, stream.size()).mapToObj(i -> stream.next()).toList();
    }

    List<InetAddress> addresses(String name) throws IOException, InterruptedException {
        try {
            return query(name, DnsRecordType.A, DnsLookup::address);
        } catch (UnknownHostException e) {
            try {
                return query(name, DnsRecordType.AAAA, DnsLookup::address);
            } catch (UnknownHostException e6) {
                throw e;
            }
        }
    }

    List<Service> services(String name) throws IOException, InterruptedException {
        return query(name, DnsRecordType.SRV, DnsLookup::service);
    }

    private <T> List<T> query(String name, DnsRecordType type, Decoder<T> decoder)
            throws IOException, InterruptedException {
        IOException failure = new IOException(
                "the timeout expired before " + name + " was queried: set a longer lookTimeout of the discovery");
        for (int i = 0; i < ROUNDS * nameServers.size() && deadlineNanos - System.nanoTime() > 0; i++) {
            InetSocketAddress nameServer = nameServers.get(i % nameServers.size());
            String queried = "name server " + nameServer.getAddress().getHostAddress() + ":" + nameServer.getPort()
                    + ", queried for " + type.name() + " records of " + name;
            Future<AddressedEnvelope<DnsResponse, InetSocketAddress>> answered =
                    resolver.query(nameServer, new DefaultDnsQuestion(name, type));
            try {
                if (answered.await((long) STEPS * stepMillis) && answered.isSuccess()) {
                    return read(answered.getNow().content(), type, decoder, queried);
                }
                failure = new IOException(queried + ", did not answer", answered.cause());
            } catch (UnknownHostException e) {
                throw e;
            } catch (IOException e) {
                failure = e;
            } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                failure = new IOException(queried + ", sent an unreadable answer", e);
            } finally {
                releaseWhenComplete(answered);
            }
        }
        throw failure;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Returns the same future.
    private static void releaseWhenComplete(Future<AddressedEnvelope<DnsResponse, InetSocketAddress>> answered) {
        answered.addListener(any -> {
            if (answered.isSuccess()) {
                answered.getNow().release();
            }
        });
    }

    /** Returns the records of this type. Aliases are not followed, because the name server has resolved them. */
    private static <T> List<T> read(DnsResponse response, DnsRecordType type, Decoder<T> decoder, String queried)
            throws IOException {
        if (response.isTruncated()) {
            // If TCP fails, Netty returns the truncated answer. An incomplete list of servers is worse than none.
            throw new IOException(
                    queried + ", truncated the answer, and sent no complete answer over TCP: allow TCP to this server");
        }
        if (response.code().equals(DnsResponseCode.NXDOMAIN)) {
            throw new UnknownHostException(queried + ", answered NXDOMAIN: configure the fully qualified name");
        }
        if (!response.code().equals(DnsResponseCode.NOERROR)) {
            throw new IOException(queried + ", answered " + response.code());
        }
        List<T> found = new ArrayList<>();
        for (int i = 0; i < response.count(DnsSection.ANSWER); i++) {
            DnsRecord record = response.recordAt(DnsSection.ANSWER, i);
            if (record instanceof ByteBufHolder holder && record.type().equals(type)) {
                found.add(decoder.decode(holder.content().duplicate()));
            }
        }
        if (found.isEmpty()) {
            throw new UnknownHostException(queried + ", answered without a record of this type: check the name");
        }
        return found;
    }

    private static InetAddress address(ByteBuf data) throws UnknownHostException {
        return InetAddress.getByAddress(ByteBufUtil.getBytes(data));
    }

    private static Service service(ByteBuf data) {
        int priority = data.readUnsignedShort();
        int port = data.skipBytes(Short.BYTES).readUnsignedShort(); // Without the weight.
        String target = DefaultDnsRecordDecoder.decodeName(data);
        return new Service(priority, port, target.endsWith(".") ? target.substring(0, target.length() - 1) : target);
    }

    @Override
    public void close() {
        resolver.close();
        loop.shutdownGracefully(0, LONGEST_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly(2 * LONGEST_MILLIS);
    }
}
