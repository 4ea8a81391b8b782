package io.memshard.client.connection;

import org.junit.jupiter.api.Nested;

/** {@link ObservationContract} over both transports. */
class ObservationIT {

    @Nested
    class OfEventLoop extends ObservationContract {

        @Override
        Transport transport() {
            return Transport.EVENT_LOOP;
        }
    }

    @Nested
    class OfCallerDriven extends ObservationContract {

        @Override
        Transport transport() {
            return Transport.CALLER_DRIVEN;
        }
    }
}
