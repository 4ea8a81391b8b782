package io.memshard.client.connection;

import io.memshard.testkit.MemcachedServer;
import org.junit.jupiter.api.Nested;

/** The contracts of a connection over the transport of the callers. */
class CallerDrivenConnectionIT {

    @Nested
    class Replies extends ReplyContract {

        @Override
        Transport transport() {
            return Transport.CALLER_DRIVEN;
        }
    }

    @Nested
    class Misbehaviours extends MisbehaviourContract {

        @Override
        Transport transport() {
            return Transport.CALLER_DRIVEN;
        }
    }

    @Nested
    class Connecting extends ConnectingContract {

        @Override
        Transport transport() {
            return Transport.CALLER_DRIVEN;
        }
    }

    @Nested
    class Closing extends ClosingContract {

        @Override
        Transport transport() {
            return Transport.CALLER_DRIVEN;
        }
    }

    @Nested
    class Losses extends LossContract {

        @Override
        Transport transport() {
            return Transport.CALLER_DRIVEN;
        }
    }

    @Nested
    class InFlight extends InFlightContract {

        @Override
        Transport transport() {
            return Transport.CALLER_DRIVEN;
        }
    }

    @Nested
    class Servers extends ServerContract {

        Servers(MemcachedServer server) {
            super(server);
        }

        @Override
        Transport transport() {
            return Transport.CALLER_DRIVEN;
        }
    }

    @Nested
    class Authentication extends AuthenticationContract {

        @Override
        Transport transport() {
            return Transport.CALLER_DRIVEN;
        }
    }

    @Nested
    class ClassicReplies extends ClassicReplyContract {

        @Override
        Transport transport() {
            return Transport.CALLER_DRIVEN;
        }
    }

    @Nested
    class UnixSocket extends UnixSocketContract {

        @Override
        Transport transport() {
            return Transport.CALLER_DRIVEN;
        }
    }

    @Nested
    class ClassicServers extends ServerContract {

        ClassicServers(MemcachedServer server) {
            super(server);
        }

        @Override
        Transport transport() {
            return Transport.CALLER_DRIVEN;
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
            return Transport.CALLER_DRIVEN;
        }
    }

    @Nested
    class Detection extends DetectionContract {

        Detection(MemcachedServer server) {
            super(server);
        }

        @Override
        Transport transport() {
            return Transport.CALLER_DRIVEN;
        }
    }

    @Nested
    class IdleTimeout extends IdleTimeoutContract {

        @Override
        Transport transport() {
            return Transport.CALLER_DRIVEN;
        }
    }

    @Nested
    class Proxies extends TwemproxyContract {

        @Override
        Transport transport() {
            return Transport.CALLER_DRIVEN;
        }
    }
}
