// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.link.Link;
import io.memshard.client.link.LinkFailure;
import io.memshard.client.options.ServerAddress;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Addresses of a server. While a socket is open, further sockets go to its address, because each address may be a
 * different server. Threading: thread-safe.
 */
final class Addresses {

    interface Resolver {
        List<SocketAddress> resolve(ServerAddress server) throws IOException;
    }

    /** Attempt to open a link to one address. If the attempt throws, no socket stays open. */
    interface Attempt {
        Link open(SocketAddress address, long deadlineNanos) throws IOException, InterruptedException;
    }

    private static final int LEAST_SHARE = 3;

    private @Nullable SocketAddress used;

    private final List<Link> links = new ArrayList<>();

    /** First address for which the last attempt had no time. */
    private @Nullable SocketAddress next;

    static List<SocketAddress> ofSystem(ServerAddress server) throws IOException {
        if (server.isUnixSocket()) {
            UnixDomainSocketAddress address = UnixDomainSocketAddress.of(server.host());
            if (!Files.exists(address.getPath())) {
                throw new FileNotFoundException("the socket file does not exist");
            }
            return List.of(address);
        }
        return Stream.of(InetAddress.getAllByName(server.host()))
                .<SocketAddress>map(address -> new InetSocketAddress(address, server.port()))
                .distinct()
                .toList();
    }

    /** Returns whether several addresses have the same family, and thus may be different servers. */
    static boolean maySplit(List<SocketAddress> resolved) {
        long ipv6 = resolved.stream()
                .filter(each -> each instanceof InetSocketAddress inet && inet.getAddress() instanceof Inet6Address)
                .count();
        return ipv6 > 1 || resolved.size() - ipv6 > 1;
    }

    Link open(List<SocketAddress> resolved, Attempt attempt, long deadlineNanos)
            throws IOException, InterruptedException {
        List<SocketAddress> ordered = ordered(resolved);
        IOException failure = null;
        long least = (deadlineNanos - System.nanoTime()) / LEAST_SHARE;
        SocketAddress untried = null;
        for (int i = 0; i < ordered.size(); i++) {
            SocketAddress address = ordered.get(i);
            long left = deadlineNanos - System.nanoTime();
            if (left <= 0 && i > 0) {
                untried = address;
                break;
            }
            long share = Math.max(left / (ordered.size() - i), Math.min(left, least));
            Link opened = null;
            boolean isKept = false;
            try {
                opened = attempt.open(address, System.nanoTime() + share);
                isKept = keep(address, opened);
            } catch (IOException e) {
                boolean isRefused = e instanceof Handshake.AuthenticationRefusedException;
                if (failure == null || isRefused || e instanceof SSLException) {
                    String where = " (" + address + ", one of " + ordered.size() + " addresses)";
                    failure =
                            isRefused || ordered.size() == 1 ? e : new IOException(LinkFailure.describe(e) + where, e);
                }
                continue;
            } finally {
                if (opened != null && !isKept) {
                    opened.close();
                }
            }
            return isKept ? opened : open(resolved, attempt, deadlineNanos);
        }
        failed(resolved, untried);
        throw failure == null ? new UnknownHostException("the name has no address") : failure;
    }

    private synchronized List<SocketAddress> ordered(List<SocketAddress> resolved) {
        links.removeIf(link -> !link.isAlive());
        if (used != null && !links.isEmpty()) {
            // The name may no longer resolve to it, because some name servers return only a part of the addresses.
            return List.of(used);
        }
        List<SocketAddress> ordered = new ArrayList<>(resolved);
        if (used != null && ordered.remove(used)) {
            ordered.add(0, used);
        }
        Collections.rotate(ordered, -Math.max(0, ordered.indexOf(next)));
        return ordered;
    }

    private synchronized boolean keep(SocketAddress address, Link opened) {
        links.removeIf(link -> !link.isAlive());
        if (links.isEmpty()) {
            used = address;
            next = null;
        }
        return address.equals(used) && links.add(opened);
    }

    private synchronized void failed(List<SocketAddress> resolved, @Nullable SocketAddress untried) {
        next = untried;
        if (used != null && !resolved.contains(used)) {
            links.clear();
        }
    }
}
