// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.metrics;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.MemcachedClient;
import io.memshard.client.PatientOptions;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.listener.ZoneOutcome;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Each query of the dashboard and of the alerts finds what it names in a scrape of a client at work. */
class GrafanaDashboardIT {

    private static final Path DASHBOARD = Path.of("../docs/grafana/memshard.json");
    private static final Duration TTL = Duration.ofMinutes(1);

    private static final Pattern QUERY =
            Pattern.compile("\"(?:expr|query)\": \"((?:[^\"\\\\]|\\\\.)*memshard(?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern METRIC = Pattern.compile("(memshard_\\w+)(?:\\{([^}]*)})?");
    private static final Pattern CONDITION = Pattern.compile("(\\w+)(=~|!=|=)\"([^\"]*)\"");
    private static final Pattern GROUPED = Pattern.compile("by \\(([^)]*)\\)");
    private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\(\\w+(?:\\{[^}]*})?, (\\w+)\\)");
    private static final Pattern SAMPLE = Pattern.compile("^(memshard_\\w+)\\{([^}]*)} ", Pattern.MULTILINE);

    private static final Path ALERTS = Path.of("../docs/grafana/alerts.yml");
    private static final Pattern ALERT = Pattern.compile("(?m)^ +expr: (.*)$");

    private static List<String> alerts() throws IOException {
        return all(ALERT, Files.readString(ALERTS)).stream()
                .map(found -> found.group(1))
                .toList();
    }

    private static List<String> queries() throws IOException {
        return all(QUERY, Files.readString(DASHBOARD)).stream()
                .map(found -> found.group(1).replace("\\\"", "\""))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static List<MatchResult> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().toList();
    }

    /** The values of each label of each metric. */
    private static Map<String, Map<String, Set<String>>> samples(String scrape) {
        Map<String, Map<String, Set<String>>> samples = new TreeMap<>();
        for (MatchResult sample : all(SAMPLE, scrape)) {
            Map<String, Set<String>> labels = samples.computeIfAbsent(sample.group(1), any -> new TreeMap<>());
            for (MatchResult label : all(CONDITION, sample.group(2))) {
                labels.computeIfAbsent(label.group(1), any -> new TreeSet<>()).add(label.group(3));
            }
        }
        return samples;
    }

    private static PrometheusMeterRegistry registryWithHistograms() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        // Which Prometheus adds when it scrapes.
        registry.config().commonTags("job", "shop", "instance", "10.0.0.5:8080");
        registry.config().meterFilter(new MeterFilter() {
            @Override
            public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
                return DistributionStatisticConfig.builder()
                        .percentilesHistogram(true)
                        .build()
                        .merge(config);
            }
        });
        return registry;
    }

    /** What Prometheus reads from a client that has had hits, misses and a failure. */
    private static String scrapeUnderLoad() throws Exception {
        PrometheusMeterRegistry registry = registryWithHistograms();
        MicrometerListener listener = new MicrometerListener(registry, "sessions");
        MemcachedConnectionException failure = new MemcachedConnectionException("lost", null, null);
        listener.zonesEnded(new ZoneOutcome("get", 1, Map.of("eu-1", 1), Map.of(), Set.of()));
        listener.zoneFailedLater("eu-2", "set", failure);
        listener.discovered("DNS services cache", 2);
        try (EmbeddedMemcached server = EmbeddedMemcached.start();
                ConnectionGroup group = new ConnectionGroup(PatientOptions.create(), 1, listener)) {
            ServerAddress address = new ServerAddress(server.host(), server.port());
            MemcachedClient<String> client = Clients.blocking(
                    group.newConnection(address, 0, Transport.CALLER_DRIVEN),
                    Transcoder.utf8(),
                    1024,
                    PatientOptions.LONG);
            client.set("a", "text", TTL);
            client.multiGet(List.of("a", "b"));
            client.get("a");
            assertThatExceptionOfType(MemcachedServerException.class).isThrownBy(() -> client.incr("a", 1));
            // The listener is told of states by a thread of its own.
            eventually("gauges", () -> registry.scrape().contains("memshard_connections{"));
            return registry.scrape();
        }
    }

    @Test
    void everyQueryFindsItsMetersAndLabels() throws Exception {
        Map<String, Map<String, Set<String>>> samples = samples(scrapeUnderLoad());
        List<String> queries = queries();
        assertThat(queries).hasSizeGreaterThan(10);
        assertThat(alerts()).hasSizeGreaterThan(5);
        queries.addAll(alerts());
        for (String query : queries) {
            for (MatchResult metric : all(METRIC, query)) {
                assertThat(samples).as(query).containsKey(metric.group(1));
                Map<String, Set<String>> labels = samples.get(metric.group(1));
                for (MatchResult grouped : all(GROUPED, query)) {
                    assertThat(labels).as(query).containsKeys(grouped.group(1).split(", "));
                }
                for (MatchResult label : all(LABEL_VALUES, query)) {
                    assertThat(labels).as(query).containsKey(label.group(1));
                }
                for (MatchResult condition : all(CONDITION, metric.group(2) == null ? "" : metric.group(2))) {
                    assertThat(labels).as(query).containsKey(condition.group(1));
                    if (!condition.group(2).equals("=~")) {
                        assertThat(labels.get(condition.group(1))).as(query).contains(condition.group(3));
                    }
                }
            }
        }
    }

    @Test
    void everyQueryIsOfTheChosenInstances() throws Exception {
        assertThat(queries())
                .filteredOn(query -> !query.startsWith("label_values"))
                .allMatch(query -> all(METRIC, query).stream()
                        .allMatch(metric -> metric.group(2).startsWith("job=~\"$job\",instance=~\"$instance\",")));
    }

    /** Refusals end at once, so while a server is ejected they would improve all times. */
    @Test
    void timesAreOfCommandsThatWereAnswered() throws Exception {
        assertThat(queries())
                .filteredOn(query -> query.matches(".*memshard_commands_seconds_(sum|max|bucket).*"))
                .hasSize(3)
                .allMatch(query -> all(METRIC, query).stream()
                        .allMatch(metric -> metric.group(2).endsWith("outcome=~\"success|timeout\"")));
    }

    @Test
    void everyMeterIsDrawn() throws Exception {
        Set<String> drawn = queries().stream()
                .flatMap(query -> all(METRIC, query).stream())
                .map(metric -> metric.group(1))
                .collect(Collectors.toSet());

        assertThat(drawn).containsAll(samples(scrapeUnderLoad()).keySet());
    }
}
