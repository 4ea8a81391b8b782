// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.memshard.SettingsBuilder;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.options.TlsOptions;
import io.memshard.client.options.Transport;
import io.memshard.sharding.ConnectionChooser;
import io.memshard.sharding.discovery.Discovery;
import io.memshard.sharding.ring.Ring;
import io.memshard.sharding.ring.Server;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class MemcachedConnectionFactoryBuilderTest {

    private final MemcachedConnectionFactoryBuilder builder =
            MemcachedConnectionFactory.builder().servers("127.0.0.1:11211");

    @Test
    void defaultsToShardedMemshardAndConnectsOnlyWhenUsed() {
        try (MemcachedConnectionFactory factory = builder.build()) {
            assertThat(factory.engine()).isEqualTo(Engine.MEMSHARD);
            assertThat(factory.mode()).isEqualTo(Mode.SHARDED);
            MemcachedConnection ofThisThread = factory.getConnection();
            assertThat(factory.getConnection()).isSameAs(ofThisThread);
            assertThat(connectionOfAnotherThread(factory)).isNotSameAs(ofThisThread);
        }
    }

    private static MemcachedConnection connectionOfAnotherThread(MemcachedConnectionFactory factory) {
        return CompletableFuture.supplyAsync(factory::getConnection, task -> new Thread(task, "another").start())
                .join();
    }

    @Test
    void aChooserPicksTheHandle() {
        try (MemcachedConnectionFactory factory =
                builder.connectionsPerServer(5).chooser(candidates -> 3).build()) {
            assertThat(factory.getConnection()).isSameAs(factory.getConnection());
        }
        try (MemcachedConnectionFactory factory =
                builder.chooser(candidates -> ConnectionChooser.NONE).build()) {
            assertThat(factory.getConnection()).isNotNull();
        }
    }

    @Test
    void badValuesAreRefusedByOptionAndValue() {
        refused(() -> MemcachedConnectionFactory.builder().build(), "servers is not set");
        refused(() -> builder.poolWaitLimit(Duration.ZERO), "poolWaitLimit is PT0S");
        assertThatNullPointerException()
                .isThrownBy(() -> builder.poolWaitLimit(null))
                .withMessage("poolWaitLimit is null");
    }

    @Test
    void optionsOfAnotherModeOrEngineAreRefused() {
        refused(
                () -> fresh().mode(Mode.SINGLE).connectionsPerServer(2).build(),
                "connectionsPerServer is 2 in mode SINGLE");
        refused(
                () -> fresh().mode(Mode.SINGLE)
                        .chooser(ConnectionChooser.roundRobin())
                        .build(),
                "chooser is set in mode SINGLE");
        refused(
                () -> fresh().mode(Mode.POOLED)
                        .chooser(ConnectionChooser.roundRobin())
                        .build(),
                "chooser is set in mode POOLED");
        refused(() -> fresh().mode(Mode.POOLED).discovery(found("a:1")).build(), "discovery is set in mode POOLED");
        refused(() -> fresh().poolWaitLimit(Duration.ofSeconds(1)).build(), "poolWaitLimit is PT1S in mode SHARDED");
    }

    @Test
    void callsThatSpymemcachedLacksAreRefused() {
        refused(
                () -> spymemcached().servers("a:1, b:2").build(),
                "servers has 2 entries, but engine SPYMEMCACHED supports only one");
        refused(() -> spymemcached().servers("unix:/run/memcached.sock").build(), "supports only TCP");
    }

    @ParameterizedTest
    @MethodSource("settingsOfMemshardOnly")
    void aSettingThatSpymemcachedLacksIsRefusedByName(
            String name, UnaryOperator<MemcachedConnectionFactoryBuilder> setting) {
        MemcachedConnectionFactoryBuilder withSpymemcached = setting.apply(spymemcached());
        refused(withSpymemcached::build, name + " is set with engine SPYMEMCACHED");
        setting.apply(fresh()).build().close();
    }

    static Stream<Arguments> settingsOfMemshardOnly() {
        Map<String, UnaryOperator<MemcachedConnectionFactoryBuilder>> settings = new HashMap<>();
        Duration second = Duration.ofSeconds(1);
        settings.put("ring", each -> each.ring(Ring.jump()));
        settings.put("discovery", each -> each.discovery(found("127.0.0.1:11211")));
        settings.put("transport", each -> each.transport(Transport.EVENT_LOOP));
        settings.put("protocol", each -> each.protocol(Protocol.META));
        settings.put("livenessTimeout", each -> each.livenessTimeout(second));
        settings.put("heartbeatInterval", each -> each.heartbeatInterval(second));
        settings.put("maxInFlight", each -> each.maxInFlight(1));
        settings.put("maxBytesInFlight", each -> each.maxBytesInFlight(1));
        settings.put("completionExecutor", each -> each.completionExecutor(Runnable::run));
        settings.put("reconnectDelay", each -> each.reconnectDelay(second, second));
        settings.put("ioThreads", each -> each.ioThreads(1));
        settings.put("tls", each -> each.tls(TlsOptions.trustingSystem()));
        settings.put("failurePolicy", each -> each.failurePolicy(FailurePolicy.TREAT_AS_MISS));
        settings.put("serverDown", each -> each.serverDown(ServerDownPolicy.MISS));
        settings.put("ejectAfter", each -> each.ejectAfter(3));
        settings.put("probeDelay", each -> each.probeDelay(second, second));
        settings.put("gutter", each -> each.gutter("spare-1:11211"));
        settings.put("failoverTtl", each -> each.failoverTtl(second));
        settings.put("keyPrefix", each -> each.keyPrefix("app:"));
        settings.put("hashKeys", each -> each.hashKeys(true));
        settings.put("connectEagerly", each -> each.connectEagerly());
        settings.put("credentials", each -> each.credentials("user", "secret"));
        settings.put("listener", each -> each.listener(new ConnectionListener() {}));
        return settings.entrySet().stream().map(each -> Arguments.of(each.getKey(), each.getValue()));
    }

    private static Discovery found(String servers) {
        return new Discovery(timeout -> Server.parseAll(servers));
    }

    @Test
    void everySettingOfMemshardIsOneOfSpymemcachedOrIsRefused() {
        Set<String> known =
                settingsOfMemshardOnly().map(each -> (String) each.get()[0]).collect(Collectors.toSet());
        known.addAll(MemcachedConnectionFactoryBuilder.SPYMEMCACHED_SETTINGS);
        assertThat(known)
                .containsAll(Arrays.stream(SettingsBuilder.class.getMethods())
                        .filter(method -> SettingsBuilder.class.isAssignableFrom(method.getReturnType()))
                        .map(Method::getName)
                        .toList());
    }

    private static MemcachedConnectionFactoryBuilder spymemcached() {
        return fresh().engine(Engine.SPYMEMCACHED);
    }

    private static MemcachedConnectionFactoryBuilder fresh() {
        return MemcachedConnectionFactory.builder().servers("127.0.0.1:11211");
    }

    private static void refused(Runnable setting, String words) {
        assertThatIllegalArgumentException().isThrownBy(setting::run).withMessageContaining(words);
    }
}
