package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.ScriptedServer;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The contracts of a connection over the transport of the event loop. */
class EventLoopConnectionIT {

    @Nested
    class Replies extends ReplyContract {

        @Override
        Transport transport() {
            return Transport.EVENT_LOOP;
        }
    }

    @Nested
    class Misbehaviours extends MisbehaviourContract {

        @Override
        Transport transport() {
            return Transport.EVENT_LOOP;
        }
    }

    @Nested
    class Connecting extends ConnectingContract {

        @Override
        Transport transport() {
            return Transport.EVENT_LOOP;
        }
    }

    @Nested
    class Closing extends ClosingContract {

        @Override
        Transport transport() {
            return Transport.EVENT_LOOP;
        }
    }

    @Nested
    class Losses extends LossContract {

        /** So that a stage which tries again over an array of connections is led to another one. */
        @Test
        void dependentStageOfALossFindsTheConnectionNotReady() {
            ScriptedServer server = scriptedServer()
                    .onConnection(c -> {
                        greet(c).readLine();
                        c.cut();
                    })
                    .onConnection(ConnectionFixture::answer);
            Connection connection = connect(server);
            CompletableFuture<Boolean> ready =
                    future(connection, get("a")).handle((value, failure) -> connection.isReady());

            assertThat(result(ready)).isFalse();
        }

        @Override
        Transport transport() {
            return Transport.EVENT_LOOP;
        }
    }

    @Nested
    class InFlight extends InFlightContract {

        @Override
        Transport transport() {
            return Transport.EVENT_LOOP;
        }
    }

    @Nested
    class Servers extends ServerContract {

        Servers(MemcachedServer server) {
            super(server);
        }

        @Override
        Transport transport() {
            return Transport.EVENT_LOOP;
        }
    }

    @Nested
    class Authentication extends AuthenticationContract {

        @Override
        Transport transport() {
            return Transport.EVENT_LOOP;
        }
    }

    @Nested
    class ClassicReplies extends ClassicReplyContract {

        @Override
        Transport transport() {
            return Transport.EVENT_LOOP;
        }
    }

    @Nested
    class UnixSocket extends UnixSocketContract {

        @Override
        Transport transport() {
            return Transport.EVENT_LOOP;
        }
    }

    @Nested
    class ClassicServers extends ServerContract {

        ClassicServers(MemcachedServer server) {
            super(server);
        }

        @Override
        Transport transport() {
            return Transport.EVENT_LOOP;
        }

        @Override
        Protocol protocol() {
            return Protocol.CLASSIC;
        }
    }

    @Nested
    class Protocols extends ProtocolContract {

        @Override
        Transport transport() {
            return Transport.EVENT_LOOP;
        }
    }

    @Nested
    class Detection extends DetectionContract {

        Detection(MemcachedServer server) {
            super(server);
        }

        @Override
        Transport transport() {
            return Transport.EVENT_LOOP;
        }
    }

    @Nested
    class IdleTimeout extends IdleTimeoutContract {

        @Override
        Transport transport() {
            return Transport.EVENT_LOOP;
        }
    }

    @Nested
    class Proxies extends TwemproxyContract {

        @Override
        Transport transport() {
            return Transport.EVENT_LOOP;
        }
    }
}
