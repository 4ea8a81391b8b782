// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.concurrent.ClientLog;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.helpers.MessageFormatter;

/** A logger that keeps what it is told at the levels which are on by default, as {@code LEVEL message}. */
final class RecordedLog {

    private static final Set<String> KEPT = Set.of("info", "warn", "error");

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger logger = (Logger)
            Proxy.newProxyInstance(Logger.class.getClassLoader(), new Class<?>[] {Logger.class}, this::invoked);

    private Object invoked(Object proxy, Method method, Object[] arguments) {
        if (KEPT.contains(method.getName())) {
            boolean asArray = arguments.length == 2 && arguments[1] instanceof Object[];
            Object[] values = asArray ? (Object[]) arguments[1] : Arrays.copyOfRange(arguments, 1, arguments.length);
            String message =
                    MessageFormatter.arrayFormat((String) arguments[0], values).getMessage();
            lines.add(method.getName().toUpperCase(java.util.Locale.ROOT) + " " + message);
        }
        return method.getReturnType() == boolean.class ? Boolean.TRUE : null;
    }

    Logger logger() {
        return logger;
    }

    List<String> lines() {
        ClientLog.awaitWritten(System.nanoTime() + TimeUnit.MINUTES.toNanos(1));
        return List.copyOf(lines);
    }
}
