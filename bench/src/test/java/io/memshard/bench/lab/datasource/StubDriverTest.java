// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import org.junit.jupiter.api.Test;

class StubDriverTest {

    @Test
    void connectionsAndQueriesAreCounted() throws Exception {
        Class.forName(StubDriver.class.getName());
        StubDatabase database = StubDatabase.named("stub-driver-test");

        Connection first = DriverManager.getConnection(StubDriver.PREFIX + "stub-driver-test");
        try (Connection second = DriverManager.getConnection(StubDriver.PREFIX + "stub-driver-test");
                PreparedStatement statement = second.prepareStatement("select 1");
                ResultSet result = statement.executeQuery()) {
            assertThat(second.isValid(1)).isTrue();
            assertThat(result.next()).isTrue();
            assertThat(result.getInt(1)).isEqualTo(1);
            assertThat(result.next()).isFalse();
        }
        first.close();
        first.close();

        assertThat(database.open()).isZero();
        assertThat(database.figures(1)).containsEntry("physical_peak", 2.0).containsEntry("lost_uses", 0.0);
    }
}
