// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

import io.memshard.client.connection.Connection;
import io.memshard.client.sender.CommandSender;
import io.memshard.sharding.ConnectionChooser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

final class Sockets implements ConnectionChooser.Candidates {

    private final Connection[] each;

    Sockets(int size, IntFunction<Connection> socket) {
        each = IntStream.range(0, size).mapToObj(socket).toArray(Connection[]::new);
    }

    Sockets only(int connection) {
        return new Sockets(1, index -> each[connection % each.length]);
    }

    Connection get(int index) {
        return each[index];
    }

    @Override
    public int size() {
        return each.length;
    }

    @Override
    public boolean isReady(int index) {
        return each[index].isReady();
    }

    @Override
    public int inFlight(int index) {
        return each[index].inFlight();
    }

    boolean isAnyReady() {
        return firstReadyFrom(0) != ConnectionChooser.NONE;
    }

    void retire(Duration drainTimeout) {
        for (Connection socket : each) {
            socket.retire(drainTimeout);
        }
    }

    List<CommandSender> readyFrom(int first) {
        List<CommandSender> ready = new ArrayList<>(each.length);
        ready.add(each[first]);
        for (int step = 1; step < each.length; step++) {
            int index = (first + step) % each.length;
            if (isReady(index)) {
                ready.add(each[index]);
            }
        }
        return ready;
    }
}
