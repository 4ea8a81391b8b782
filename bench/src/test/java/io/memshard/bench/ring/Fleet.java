// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.ring;

import io.memshard.client.options.ServerAddress;
import io.memshard.sharding.ring.Server;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Servers that exist by name only, the same for the same number. Each has a host name and an IP address, because some
 * rings hash both. Threading: immutable.
 *
 * @param number from 1: fleets of different numbers have no name in common
 */
record Fleet(int number) {

    /** The weight of every fourth server of {@link #weighted}. */
    static final int HEAVY = 3;

    /** Returns the servers from 0 to {@code count} - 1, of weight 1. */
    List<Server> plain(int count) {
        return IntStream.range(0, count).mapToObj(this::server).toList();
    }

    /** Returns the same with weights: each fourth, from the last of four on, has the weight {@value #HEAVY}. */
    List<Server> weighted(int count) {
        return IntStream.range(0, count)
                .mapToObj(index -> server(index).withWeight(index % 4 == 3 ? HEAVY : 1))
                .toList();
    }

    /** Returns the server at {@code index}, from 0 to 65,535. */
    Server server(int index) {
        String host = "cache-" + (index + 1) + ".fleet-" + number + ".example.com";
        return Server.of(new ServerAddress(host, ServerAddress.DEFAULT_PORT)).withIp(ip(10, index));
    }

    /** Returns the same under another IP address. */
    Server readdressed(Server server, int index) {
        return server.withIp(ip(11, index));
    }

    private InetAddress ip(int first, int index) {
        try {
            return InetAddress.getByAddress(
                    new byte[] {(byte) first, (byte) number, (byte) (index >> 8), (byte) index});
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }
}
