// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
    void connectionsThatAreOpenThatWereOpenAtATimeAndAllAreCounted() throws Exception {
        int before = database.total();
        Connection first = connect();
        try (Connection second = connect()) {
            assertThat(second.isValid(1)).isTrue();
        }
        first.close();
        first.close();
        connect().close();

        assertThat(database.open()).isZero();
        assertThat(database.peak()).isEqualTo(2);
        assertThat(database.total() - before).isEqualTo(3);
    }

    @Test
    void everyQueryAnswersOneRowWithAOne() throws Exception {
        long before = database.queries();
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement("select 1");
                ResultSet result = statement.executeQuery()) {
            assertThat(result.next()).isTrue();
            assertThat(result.getInt(1)).isEqualTo(1);
            assertThat(result.next()).isFalse();
        }
        assertThat(database.queries() - before).isEqualTo(1);
    }

    @Test
    void aMethodThatNoPoolNeedsFailsByItsName() throws Exception {
        try (Connection connection = connect()) {
            assertThatThrownBy(connection::createClob)
                    .isInstanceOf(AbstractMethodError.class)
                    .hasMessageContaining("createClob");
        }
    }
}
