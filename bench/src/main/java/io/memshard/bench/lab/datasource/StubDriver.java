// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Driver that connects to a {@link StubDatabase}. The class is public, because pools load it by name. */
public final class StubDriver implements Driver {

    static final String PREFIX = "jdbc:memshard-stub:";

    static {
        try {
            DriverManager.registerDriver(new StubDriver());
        } catch (SQLException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public StubDriver() {}

    @Override
    public @Nullable Connection connect(String url, @Nullable Properties info) {
        return acceptsURL(url)
                ? StubDatabase.named(url.substring(PREFIX.length())).connect()
                : null;
    }

    @Override
    public boolean acceptsURL(String url) {
        return url.startsWith(PREFIX);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, @Nullable Properties info) {
        return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return 1;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("the stub driver has no logger");
    }
}
