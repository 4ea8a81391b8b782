// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import io.memshard.client.concurrent.ClientLog;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.helpers.MessageFormatter;

/** A logger that keeps what it is told, each line with its level. */
final class RecordedLog {

    private final List<String> lines = new CopyOnWriteArrayList<>();

    private final Logger logger = (Logger) Proxy.newProxyInstance(
            Logger.class.getClassLoader(), new Class<?>[] {Logger.class}, (proxy, method, arguments) -> {
                if (method.getReturnType() == boolean.class) {
                    return true;
                }
                Object[] values = arguments.length == 2 && arguments[1] instanceof Object[] many
                        ? many
                        : Arrays.copyOfRange(arguments, 1, arguments.length);
                lines.add(method.getName() + " "
                        + MessageFormatter.arrayFormat((String) arguments[0], values)
                                .getMessage());
                return null;
            });

    Logger logger() {
        return logger;
    }

    /** The lines of a level, such as {@code warn}, without the level. */
    List<String> at(String level) {
        ClientLog.awaitWritten(System.nanoTime() + TimeUnit.MINUTES.toNanos(1));
        return lines.stream()
                .filter(line -> line.startsWith(level + " "))
                .map(line -> line.substring(level.length() + 1))
                .toList();
    }
}
