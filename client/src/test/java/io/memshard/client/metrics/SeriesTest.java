// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.listener.Call;
import io.memshard.client.listener.CommandEnd;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.ServerAddress;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** The numbers of series in docs/observability.md, for 100 servers, two operations that read and two that write. */
class SeriesTest {

    private static final int SERVERS = 100;
    private static final List<String> READS = List.of("get", "multiGet");
    private static final List<String> WRITES = List.of("set", "delete");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    private long series() {
        return registry.scrape().lines().filter(line -> !line.startsWith("#")).count();
    }

    private long seriesOfAFleet() {
        MicrometerListener listener = new MicrometerListener(registry, "sessions");
        for (int i = 0; i < SERVERS; i++) {
            ServerAddress server = new ServerAddress("cache-" + i, 11211);
            listener.stateChanged(
                    new SharedMetersTest.Idle(server, 0, ConnectionState.READY),
                    ConnectionState.CONNECTING,
                    ConnectionState.READY,
                    null);
            READS.forEach(
                    read -> listener.commandEnded(new CommandEnd(read, "mg", "a", 1, 1, server, 0, null, 1, null)));
            WRITES.forEach(
                    write -> listener.commandEnded(new CommandEnd(write, "ms", "a", 1, -1, server, 0, null, 1, null)));
        }
        return series();
    }

    private void publish(DistributionStatisticConfig buckets) {
        registry.config().meterFilter(new MeterFilter() {
            @Override
            public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
                return id.getType() == Meter.Type.TIMER ? buckets.merge(config) : config;
            }
        });
    }

    @Test
    void aServerHasTenSeriesAndThreeForEachOperation() {
        assertThat(seriesOfAFleet()).isEqualTo(SERVERS * (10 + 3 * 4 + 3 * 2)).isEqualTo(2_800);
    }

    @Test
    void aFilterThatIgnoresServersLeavesTheSeriesOfOne() {
        registry.config().meterFilter(MeterFilter.ignoreTags("server"));

        assertThat(seriesOfAFleet()).isEqualTo(2_800 / SERVERS);
    }

    @Test
    void eightBoundariesMakeNineBucketsForEachOperation() {
        double[] nanos = DoubleStream.of(0.5, 1, 2, 5, 10, 50, 100, 500)
                .map(millis -> millis * 1e6)
                .toArray();
        publish(DistributionStatisticConfig.builder()
                .serviceLevelObjectives(nanos)
                .build());

        assertThat(seriesOfAFleet()).isEqualTo(2_800 + SERVERS * 4 * 9).isEqualTo(6_400);
    }

    @Test
    void histogramsMakeSixtyNineBucketsForEachOperation() {
        publish(DistributionStatisticConfig.builder().percentilesHistogram(true).build());

        assertThat(seriesOfAFleet()).isEqualTo(2_800 + SERVERS * 4 * 69).isEqualTo(30_400);
    }

    @Test
    void histogramsOfObservationsDoNotGrowWithServers() {
        publish(DistributionStatisticConfig.builder().percentilesHistogram(true).build());
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(registry));
        ObservationListener listener = new ObservationListener(observations, "sessions");
        for (int i = 0; i < SERVERS; i++) {
            ServerAddress server = new ServerAddress("cache-" + i, 11211);
            READS.forEach(read -> listener.callObserver().call(new Call(read, null, 1, server), () -> "value"));
        }

        assertThat(series()).isEqualTo(2 * 75);
    }
}
