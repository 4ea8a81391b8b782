// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.memshard.client.concurrent.ClientLog;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.simple.SimpleLogger;

/** All that some classes log until this is closed, as slf4j-simple prints it: each level, and stack traces. */
public final class CapturedLog implements AutoCloseable {

    private static final int ALL = 0;

    private final PrintStream err = System.err;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final Map<Logger, Integer> levels = new LinkedHashMap<>();

    /**
     * @param names of the loggers: each a class that has one of its own
     */
    public CapturedLog(Class<?>... names) {
        for (Class<?> name : names) {
            Logger logger = LoggerFactory.getLogger(name);
            levels.put(logger, level(logger, ALL));
        }
        System.setErr(new PrintStream(printed, true, UTF_8));
    }

    /** Sets the level, which the tests of this module keep at ERROR, and returns the one before. */
    private static int level(Logger logger, int next) {
        try {
            Field level = SimpleLogger.class.getDeclaredField("currentLogLevel");
            level.setAccessible(true);
            int previous = level.getInt(logger);
            level.setInt(logger, next);
            return previous;
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("another slf4j-simple", e);
        }
    }

    public String text() {
        ClientLog.awaitWritten(System.nanoTime() + TimeUnit.MINUTES.toNanos(1));
        return printed.toString(UTF_8);
    }

    @Override
    public void close() {
        text();
        System.setErr(err);
        levels.forEach(CapturedLog::level);
    }
}
