// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.ClientVariant.Connected;
import io.memshard.client.contract.OperationContract;
import io.memshard.client.contract.Subject;
import io.memshard.client.listener.ConnectionState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract over a connection of each variant. */
@Timeout(60)
@Tag("installed")
@ParameterizedClass
@MethodSource("io.memshard.client.ClientVariant#chosen")
class ItemOperationsIT extends OperationContract {

    private final ClientVariant variant;
    private Connected connected;

    ItemOperationsIT(ClientVariant variant) {
        this.variant = variant;
        variant.server().server();
    }

    @Override
    protected Subject open() {
        connected = variant.open();
        return connected.subject();
    }

    @Override
    protected int maxValueBytes() {
        return ClientVariant.MAX_VALUE_BYTES;
    }

    @AfterEach
    void theConnectionIsReadyAndNothingIsInFlight() {
        assertThat(connected.connection().state()).isEqualTo(ConnectionState.READY);
        assertThat(connected.connection().inFlight()).isZero();
    }
}
