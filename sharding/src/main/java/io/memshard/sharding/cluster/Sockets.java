// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

import io.memshard.client.connection.Connection;
import io.memshard.client.sender.CommandSender;
import io.memshard.sharding.ConnectionChooser;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Sockets to a server for one kind of caller: platform threads that block, or all other callers. Immutable. */
final class Sockets implements ConnectionChooser.Candidates {

    private final Connection[] each;

    Sockets(List<Connection> connections, UnaryOperator<Connection> socket) {
        each = connections.stream().map(socket).distinct().toArray(Connection[]::new);
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
        for (Connection socket : each) {
            if (socket.isReady()) {
                return true;
            }
        }
        return false;
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
