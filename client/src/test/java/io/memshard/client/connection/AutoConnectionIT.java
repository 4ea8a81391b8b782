package io.memshard.client.connection;

import org.junit.jupiter.api.Nested;

/** What holds of each transport holds of the two behind one face. */
class AutoConnectionIT {

    @Nested
    class Misbehaviours extends MisbehaviourContract {

        @Override
        Transport transport() {
            return Transport.AUTO;
        }
    }
}
