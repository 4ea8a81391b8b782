// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import static java.util.Map.entry;
import static net.bytebuddy.matcher.ElementMatchers.isAbstract;
import static net.bytebuddy.matcher.ElementMatchers.namedOneOf;

import io.memshard.bench.lab.pool.PoolArm;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Array;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.Map;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import net.bytebuddy.implementation.FixedValue;
import net.bytebuddy.implementation.MethodCall;
import net.bytebuddy.implementation.StubMethod;

/** Fake database. A dynamic proxy would distort measurements, so classes with empty methods are generated. */
final class StubDatabase {
    private static final Map<String, StubDatabase> BY_NAME = new ConcurrentHashMap<>();
    private static final Map<String, Object> CONSTANTS = Map.ofEntries(
            entry("getTransactionIsolation", Connection.TRANSACTION_READ_COMMITTED),
            entry("getHoldability", ResultSet.HOLD_CURSORS_OVER_COMMIT),
            entry("getTypeMap", Map.of()),
            entry("getAutoCommit", true),
            entry("isValid", true),
            entry("getUpdateCount", -1),
            entry("getFetchDirection", ResultSet.FETCH_FORWARD),
            entry("getResultSetType", ResultSet.TYPE_FORWARD_ONLY),
            entry("getResultSetConcurrency", ResultSet.CONCUR_READ_ONLY),
            entry("getResultSetHoldability", ResultSet.HOLD_CURSORS_OVER_COMMIT),
            entry("getInt", 1));

    private static final MethodHandle CONNECTION = constructor(StubConnection.class, StubDatabase.class);
    private static final MethodHandle STATEMENT = constructor(StubStatement.class, StubConnection.class);
    private static final MethodHandle RESULT = constructor(StubResult.class, StubStatement.class);

    /** Metadata. A slow proxy suffices, because pools read metadata only once for each connection. */
    private static final DatabaseMetaData META_DATA = (DatabaseMetaData) Proxy.newProxyInstance(
            StubDatabase.class.getClassLoader(),
            new Class<?>[] {DatabaseMetaData.class},
            (proxy, method, arguments) -> method.getReturnType() == String.class
                    ? "stub"
                    : Array.get(Array.newInstance(method.getReturnType(), 1), 0));

    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger peak = new AtomicInteger();
    private final Queue<StubConnection> made = new ConcurrentLinkedQueue<>();

    private StubDatabase() {}

    static StubDatabase named(String name) {
        return BY_NAME.computeIfAbsent(name, any -> new StubDatabase());
    }

    int open() {
        return open.get();
    }

    int peak() {
        return peak.get();
    }

    Map<String, Double> figures(long uses) {
        long queries = made.stream().mapToLong(connection -> connection.queries).sum();
        return Map.of("physical_peak", (double) peak(), PoolArm.LOST_USES, (double) (uses - queries));
    }

    Connection connect() {
        StubConnection connection = (StubConnection) made(CONNECTION, this);
        made.add(connection);
        peak.accumulateAndGet(open.incrementAndGet(), Math::max);
        return connection;
    }

    private static Object made(MethodHandle constructor, Object argument) {
        try {
            return (Object) constructor.invokeExact(argument);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static MethodHandle constructor(Class<?> type, Class<?> argument) {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        try {
            DynamicType.Builder<?> complete = new ByteBuddy()
                    .subclass(type)
                    .name(type.getName() + "Complete")
                    .method(isAbstract())
                    .intercept(StubMethod.INSTANCE);
            for (Map.Entry<String, Object> constant : CONSTANTS.entrySet()) {
                complete = complete.method(isAbstract().and(namedOneOf(constant.getKey())))
                        .intercept(FixedValue.value(constant.getValue()));
            }
            if (type == StubConnection.class) {
                complete = complete.method(isAbstract().and(namedOneOf("createStatement", "prepareStatement")))
                        .intercept(MethodCall.invoke(type.getDeclaredMethod("statement")));
            }
            Class<?> loaded = complete.make()
                    .load(type.getClassLoader(), ClassLoadingStrategy.UsingLookup.of(lookup))
                    .getLoaded();
            MethodHandle exact = lookup.unreflectConstructor(loaded.getDeclaredConstructor(argument));
            return exact.asType(exact.type().generic());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot complete " + type.getName(), e);
        }
    }

    abstract static class StubConnection implements Connection {
        private final StubDatabase database;
        private volatile boolean closed;
        /** Number of queries, which is too low if two threads use the connection at once. */
        private long queries;

        StubConnection(StubDatabase database) {
            this.database = database;
        }

        PreparedStatement statement() {
            return (PreparedStatement) made(STATEMENT, this);
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                database.open.decrementAndGet();
            }
        }

        @Override
        public boolean isClosed() {
            return closed;
        }

        @Override
        public Properties getClientInfo() {
            return new Properties();
        }

        @Override
        public DatabaseMetaData getMetaData() {
            return META_DATA;
        }
    }

    abstract static class StubStatement implements PreparedStatement {
        private final StubConnection connection;

        StubStatement(StubConnection connection) {
            this.connection = connection;
        }

        @Override
        public ResultSet executeQuery() {
            connection.queries++;
            return (ResultSet) made(RESULT, this);
        }

        @Override
        public ResultSet executeQuery(String sql) {
            return executeQuery();
        }

        @Override
        public Connection getConnection() {
            return connection;
        }
    }

    abstract static class StubResult implements ResultSet {
        private final StubStatement statement;
        private boolean read;

        StubResult(StubStatement statement) {
            this.statement = statement;
        }

        @Override
        public boolean next() {
            boolean first = !read;
            read = true;
            return first;
        }

        @Override
        public StubStatement getStatement() {
            return statement;
        }
    }
}
