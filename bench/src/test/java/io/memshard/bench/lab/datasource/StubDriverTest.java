// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StubDriverTest {

    private final StubDatabase database = StubDatabase.named("stub-driver-test");

    @BeforeEach
    void register() throws Exception {
        Class.forName(StubDriver.class.getName());
    }

    private static Connection connect() throws Exception {
        return DriverManager.getConnection(StubDriver.PREFIX + "stub-driver-test");
    }

    @Test
    void connectionsThatAreOpenAndThatWereOpenAtATimeAreCounted() throws Exception {
        Connection first = connect();
        try (Connection second = connect()) {
            assertThat(second.isValid(1)).isTrue();
        }
        first.close();
        first.close();

        assertThat(database.open()).isZero();
        assertThat(database.figures(0)).containsEntry("physical_peak", 2.0);
    }

    @Test
    void everyQueryAnswersOneRowWithAOne() throws Exception {
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement("select 1");
                ResultSet result = statement.executeQuery()) {
            assertThat(result.next()).isTrue();
            assertThat(result.getInt(1)).isEqualTo(1);
            assertThat(result.next()).isFalse();
        }
        assertThat(database.figures(1)).containsEntry("lost_uses", 0.0);
    }
}
