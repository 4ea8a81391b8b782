// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/** Facts about the machine and the programs of a measurement. */
public final class Environment {

    public static final String NO_MEMCACHED = "it is no memcached, and figures of it are not to be published";

    private static final String COMMIT_PROPERTY = "memshard.bench.commit";

    private Environment() {}

    public static Map<String, String> now(String command) {
        String commit = System.getProperty(COMMIT_PROPERTY, "");
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("command", command);
        facts.put("started", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        facts.put("commit", commit.isBlank() ? "unknown" : commit);
        facts.put("cpus", String.valueOf(Runtime.getRuntime().availableProcessors()));
        String model = ProcessFiles.value("/proc/cpuinfo", "model name");
        facts.put("cpu_model", model.isEmpty() ? "unknown" : model);
        facts.put("kernel", properties("os.name", "os.version", "os.arch"));
        facts.put("jdk", properties("java.vendor", "java.vm.name", "java.vm.version"));
        return facts;
    }

    private static String properties(String first, String second, String third) {
        return System.getProperty(first) + " " + System.getProperty(second) + " " + System.getProperty(third);
    }
}
