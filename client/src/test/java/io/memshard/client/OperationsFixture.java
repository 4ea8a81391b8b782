// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import io.memshard.client.ClientVariant.Connected;
import io.memshard.client.connection.Connection;
import io.memshard.client.contract.ItemFixture;
import io.memshard.client.contract.Subject;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** A client of a variant for each test. */
@Timeout(60)
@Tag("installed")
abstract class OperationsFixture extends ItemFixture {

    final ClientVariant variant;
    private Connected connected;

    OperationsFixture(ClientVariant variant) {
        this.variant = variant;
        variant.server().server();
    }

    @Override
    protected Subject open() {
        connected = variant.open();
        return connected.subject();
    }

    /** The connection of {@link #client}. */
    final Connection connection() {
        return connected.connection();
    }
}
