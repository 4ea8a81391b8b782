// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Order in which the addresses of a server are tried. The address that worked last comes first. After it, IPv4 and IPv6
 * addresses alternate, because often all addresses of one family are unreachable. If no address has worked, the next
 * attempt begins with addresses that have not been tried.
 *
 * <p>Source: RFC 8305, "Happy Eyeballs Version 2", section 4.
 *
 * <p>Threading: confined to the connection's current attempt to connect. There is one at a time.
 */
final class AddressOrder {

    private @Nullable SocketAddress workedLast;

    /** Number of addresses tried without success since an address last worked. */
    private int tried;

    /** Returns the addresses in the order in which an attempt tries them, without duplicates. */
    List<SocketAddress> of(List<SocketAddress> resolved) {
        List<SocketAddress> rotated =
                new ArrayList<>(resolved.stream().distinct().toList());
        Collections.rotate(rotated, rotated.isEmpty() ? 0 : -(tried % rotated.size()));
        List<SocketAddress> ordered = interleaved(rotated);
        SocketAddress first = workedLast;
        if (first != null && ordered.remove(first)) {
            ordered.add(0, first);
        }
        return ordered;
    }

    private static List<SocketAddress> interleaved(List<SocketAddress> addresses) {
        Queue<SocketAddress> due = new ArrayDeque<>();
        Queue<SocketAddress> other = new ArrayDeque<>();
        for (SocketAddress address : addresses) {
            (isIpv6(address) == isIpv6(addresses.get(0)) ? due : other).add(address);
        }
        List<SocketAddress> ordered = new ArrayList<>();
        while (!due.isEmpty() || !other.isEmpty()) {
            if (!due.isEmpty()) {
                ordered.add(due.remove());
            }
            if (!other.isEmpty()) {
                ordered.add(other.remove());
            }
        }
        return ordered;
    }

    private static boolean isIpv6(SocketAddress address) {
        return address instanceof InetSocketAddress inet && inet.getAddress() instanceof Inet6Address;
    }

    /** Records that an attempt has ended with a link to {@code address}. */
    void worked(SocketAddress address) {
        workedLast = address;
        tried = 0;
    }

    /** Records that an attempt has ended without a link, after it has tried {@code addresses} addresses. */
    void failed(int addresses) {
        tried = (tried + addresses) & Integer.MAX_VALUE;
    }
}
