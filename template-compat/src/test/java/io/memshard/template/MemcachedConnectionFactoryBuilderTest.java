package io.memshard.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.TlsOptions;
import io.memshard.sharding.ConnectionChooser;
import io.memshard.sharding.Memshard;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

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
                builder.size(5).chooser(candidates -> 3).build()) {
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
        refused(() -> builder.servers(" "), "servers is empty");
        refused(() -> builder.servers("a:1,b:2"), "a:1,b:2");
        refused(() -> builder.servers("a:99999"), "99999");
        refused(() -> builder.size(0), "size is 0");
        refused(() -> builder.size(1025), "size is 1025");
        refused(() -> builder.maxValueBytes(0), "maxValueBytes is 0");
        refused(() -> builder.requestTimeout(Duration.ZERO), "requestTimeout is PT0S");
        refused(() -> builder.connectTimeout(Duration.ofSeconds(-1)), "connectTimeout is PT-1S");
        refused(() -> builder.poolWaitLimit(Duration.ZERO), "poolWaitLimit is PT0S");
    }

    @Test
    void durationsAreWhatMemshardsOwnBuilderTakes() {
        Duration most = Duration.ofDays(24);
        List<Duration> bad = List.of(most.plusNanos(1), Duration.ofDays(200_000), Duration.ofSeconds(Long.MAX_VALUE));
        for (Duration each : bad) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.requestTimeout(each))
                    .withMessage(messageOf(() -> Memshard.builder().requestTimeout(each)));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.connectTimeout(each))
                    .withMessage(messageOf(() -> Memshard.builder().connectTimeout(each)));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.tcpUserTimeout(each))
                    .withMessage(messageOf(() -> Memshard.builder().tcpUserTimeout(each)));
            refused(
                    () -> builder.poolWaitLimit(each),
                    "poolWaitLimit is " + each + ": it is more than zero and at most PT576H");
        }
        builder.requestTimeout(most)
                .connectTimeout(most)
                .tcpUserTimeout(most)
                .build()
                .close();
    }

    private static String messageOf(ThrowingCallable setting) {
        return catchThrowable(setting).getMessage();
    }

    @Test
    void whatIsNullIsRefusedByOption() {
        nullNamed(() -> builder.servers(null), "servers is null");
        nullNamed(() -> builder.requestTimeout(null), "requestTimeout is null");
        nullNamed(() -> builder.connectTimeout(null), "connectTimeout is null");
        nullNamed(() -> builder.poolWaitLimit(null), "poolWaitLimit is null");
        nullNamed(() -> builder.tcpUserTimeout(null), "tcpUserTimeout is null");
        nullNamed(() -> builder.keepAlive(null, Duration.ofSeconds(1), 1), "keepAlive idle is null");
        nullNamed(() -> builder.keepAlive(Duration.ofSeconds(1), null, 1), "keepAlive interval is null");
    }

    private static void nullNamed(ThrowingCallable setting, String option) {
        assertThatNullPointerException().isThrownBy(setting).withMessage(option);
    }

    @Test
    void optionsOfAnotherModeOrEngineAreRefused() {
        refused(() -> fresh().mode(Mode.SINGLE).size(2).build(), "size is 2 in mode SINGLE");
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
        refused(() -> fresh().poolWaitLimit(Duration.ofSeconds(1)).build(), "poolWaitLimit is PT1S in mode SHARDED");
        refused(() -> fresh().binaryProtocol(true).build(), "binaryProtocol is true with engine MEMSHARD");
    }

    @Test
    void whatSpymemcachedCannotDoIsRefused() {
        refused(() -> spymemcached().credentials("user", "secret").build(), "set binaryProtocol(true)");
        refused(() -> spymemcached().tls(TlsOptions.trustingSystem()).build(), "tls, keepAlive or tcpUserTimeout");
        refused(
                () -> spymemcached()
                        .keepAlive(Duration.ofSeconds(10), Duration.ofSeconds(1), 3)
                        .build(),
                "tls, keepAlive or tcpUserTimeout");
        refused(() -> spymemcached().protocol(Protocol.META).build(), "protocol is META with engine SPYMEMCACHED");
        refused(
                () -> spymemcached().listener(new ConnectionListener() {}).build(),
                "listener is set with engine SPYMEMCACHED");
        refused(() -> spymemcached().servers("unix:/run/memcached.sock").build(), "speaks TCP only");
    }

    @Test
    void pathOfASocketIsTakenWhole() {
        builder.servers("unix:/run/my cache,1.sock").build().close();
        refused(
                () -> spymemcached().servers("unix:/run/my cache,1.sock").build(),
                "servers is unix:/run/my cache,1.sock with engine");
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
