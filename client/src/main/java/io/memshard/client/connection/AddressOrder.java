// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Order in which a client tries the addresses of a server. While a link of the client is open, further links go to the
 * same address, because each address may be a different server. Otherwise the address that worked last comes first. The
 * next ones alternate between IPv4 and IPv6, because often all addresses of one family are unreachable. If no address
 * has worked, the next attempt begins with addresses that were not tried yet.
 *
 * <p>Source: RFC 8305, "Happy Eyeballs Version 2", section 4. Threading: thread-safe.
 */
final class AddressOrder {

    private @Nullable SocketAddress workedLast;

    /** Liveness checks of the links to {@link #workedLast}. */
    private final List<BooleanSupplier> links = new ArrayList<>();

    private int tried;

    synchronized List<SocketAddress> of(List<SocketAddress> resolved) {
        SocketAddress first = workedLast;
        if (first != null && isInUse()) {
            // Even if the name no longer resolves to this address: some name servers return only a part of the
            // addresses.
            return List.of(first);
        }
        List<SocketAddress> rotated =
                new ArrayList<>(resolved.stream().distinct().toList());
        Collections.rotate(rotated, rotated.isEmpty() ? 0 : -(tried % rotated.size()));
        List<SocketAddress> ordered = interleaved(rotated);
        if (first != null && ordered.remove(first)) {
            ordered.add(0, first);
        }
        return ordered;
    }

    private boolean isInUse() {
        links.removeIf(isAlive -> !isAlive.getAsBoolean());
        return !links.isEmpty();
    }

    private static List<SocketAddress> interleaved(List<SocketAddress> addresses) {
        List<SocketAddress> ordered = new ArrayList<>();
        int[] next = {0, 0}; // Number of addresses of each family so far.
        for (SocketAddress address : addresses) {
            int family = isIpv6(address) == isIpv6(addresses.get(0)) ? 0 : 1;
            ordered.add(Math.min(2 * next[family]++ + family, ordered.size()), address);
        }
        return ordered;
    }

    /** Returns whether one family has several of the addresses, which may then be different servers. */
    static boolean maySplit(List<SocketAddress> resolved) {
        List<SocketAddress> distinct = resolved.stream().distinct().toList();
        long ipv6 = distinct.stream().filter(AddressOrder::isIpv6).count();
        return ipv6 > 1 || distinct.size() - ipv6 > 1;
    }

    private static boolean isIpv6(SocketAddress address) {
        return address instanceof InetSocketAddress inet && inet.getAddress() instanceof Inet6Address;
    }

    /** Records a link to {@code address}. Returns false if links to another address are open. */
    synchronized boolean worked(SocketAddress address, BooleanSupplier isAlive) {
        if (!address.equals(workedLast)) {
            if (isInUse()) {
                return false;
            }
            workedLast = address;
        }
        links.add(isAlive);
        tried = 0;
        return true;
    }

    synchronized void failed(int addresses) {
        tried = (tried + addresses) & Integer.MAX_VALUE;
    }

    /** Allows other addresses again, because the name no longer resolves to {@code lost}. */
    synchronized void leave(SocketAddress lost) {
        if (lost.equals(workedLast)) {
            links.clear();
        }
    }
}
