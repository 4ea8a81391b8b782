// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import io.memshard.bench.lab.variant.Bean;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * IronJacamar without an application server: the pool of JBoss, in place of the one in the table of 2012, which is not
 * to be found.
 *
 * <p>The resource adapter must be set, or statements fail; the names of the pool and of the flush strategy too, or
 * opening fails.
 */
final class IronJacamar {

    private static final String CORE = "org.jboss.jca.core.";
    private static final String MANAGED_POOL =
            CORE + "connectionmanager.pool.mcp.SemaphoreArrayListManagedConnectionPool";

    private IronJacamar() {}

    /** As shipped it hands connections out in the order of asking. */
    static OpenedSource open(String url, Sizes sizes, boolean fair) throws Exception {
        Bean factory = Bean.of("org.jboss.jca.adapters.jdbc.local.LocalManagedConnectionFactory")
                .set("driverClass", StubDriver.class.getName())
                .set("connectionURL", url)
                .set("userName", "lab")
                .set("password", "lab")
                .set(
                        "resourceAdapter",
                        Bean.of("org.jboss.jca.adapters.jdbc.JDBCResourceAdapter")
                                .as(Object.class));
        Bean configuration = Bean.of(CORE + "api.connectionmanager.pool.PoolConfiguration")
                .set("initialSize", sizes.initial())
                .set("minSize", sizes.min())
                .set("maxSize", sizes.max())
                .set("fair", fair);
        Object pool = call(
                Bean.of(CORE + "connectionmanager.pool.api.PoolFactory"),
                "create",
                constant(CORE + "connectionmanager.pool.api.PoolStrategy", "ONE_POOL"),
                factory.as(Object.class),
                configuration.as(Object.class),
                false,
                true,
                MANAGED_POOL);
        Bean.around(pool).set("name", "lab");
        Object manager = call(
                Bean.of(CORE + "connectionmanager.ConnectionManagerFactory"),
                "createNonTransactional",
                constant("javax.resource.spi.TransactionSupport$TransactionSupportLevel", "NoTransaction"),
                pool,
                null,
                null,
                false,
                null,
                false,
                false,
                false,
                null,
                constant("org.jboss.jca.common.api.metadata.common.FlushStrategy", "FAILING_CONNECTION_ONLY"),
                null,
                null);
        DataSource source = (DataSource) factory.call("createConnectionFactory", manager);
        return new OpenedSource(
                source, () -> Bean.around(pool).call("shutdown"), Map.of("lock_is_fair", fair ? 1.0 : 0));
    }

    private static Object constant(String enumeration, String name) throws ReflectiveOperationException {
        return Class.forName(enumeration).getField(name).get(null);
    }

    /** The method of that name with so many parameters; unlike {@link Bean#call} it takes nulls. */
    private static Object call(Bean bean, String name, @Nullable Object... arguments)
            throws ReflectiveOperationException {
        Object target = bean.as(Object.class);
        Method method = Arrays.stream(target.getClass().getMethods())
                .filter(each -> each.getName().equals(name) && each.getParameterCount() == arguments.length)
                .findFirst()
                .orElseThrow(() -> new NoSuchMethodException(target.getClass().getName() + "." + name));
        return method.invoke(target, arguments);
    }
}
