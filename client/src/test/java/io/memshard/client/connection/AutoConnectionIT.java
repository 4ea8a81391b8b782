package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.testkit.fault.ScriptedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each kind of caller has a connection of its own, and is told of the state of that one. */
@Timeout(60)
class AutoConnectionIT extends ConnectionFixture {

    AutoConnectionIT() {
        super(Transport.AUTO, Protocol.META);
    }

    private Connection to(ConnectionGroup group, ScriptedServer server, Transport transport) {
        return group.newConnection(address(server), 0, transport);
    }

    @Test
    void blockingCallersDoNotFeelTheLossOfTheEventLoopsSocket() {
        ScriptedServer there = scriptedServer().onConnection(ConnectionFixture::answer);
        ScriptedServer gone = scriptedServer().stopAccepting();
        ConnectionGroup group = closedAfterwards(new ConnectionGroup(options, 1));
        Connection connection =
                new AutoConnection(to(group, there, Transport.CALLER_DRIVEN), to(group, gone, Transport.EVENT_LOOP));
        failure(MemcachedConnectionException.class, future(connection, get("a")));

        assertThat(connection.isReadyToSend()).isFalse();
        assertThat(connection.isReadyToCall()).isTrue();
        assertThat(connection.isReady()).isFalse();
        works(connection);
        assertThat(connection.isReadyToCall()).isTrue();
    }

    @Test
    void asynchronousCallersDoNotFeelTheLossOfTheCallersSocket() {
        ScriptedServer there = scriptedServer().onConnection(ConnectionFixture::answer);
        ScriptedServer gone = scriptedServer().stopAccepting();
        ConnectionGroup group = closedAfterwards(new ConnectionGroup(options, 1));
        Connection connection =
                new AutoConnection(to(group, gone, Transport.CALLER_DRIVEN), to(group, there, Transport.EVENT_LOOP));
        failedCall(connection);

        assertThat(connection.isReadyToCall()).isFalse();
        assertThat(connection.isReadyToSend()).isTrue();
        assertThat(result(future(connection, get("a")))).isEqualTo("value of a");
        connection.close();
        assertThat(connection.state()).isEqualTo(ConnectionState.CLOSED);
        assertThat(connection.isReadyToSend()).isFalse();
    }
}
