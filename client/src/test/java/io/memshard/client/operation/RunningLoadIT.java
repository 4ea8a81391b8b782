// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.PatientOptions;
import io.memshard.client.argument.ValueCoder;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.meta.MetaCommands;
import io.memshard.client.meta.MetaItem;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.wire.KeyRule;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.SendMode;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RunningLoadIT {

    /** A connection whose pauses end when the test says so. */
    private record Paused(CommandSender connection, CompletableFuture<@Nullable Void> pause, List<String> verbs)
            implements CommandSender {

        @Override
        public <T> Reply<T> send(Command<T> command, SendMode mode) {
            verbs.add(command.verb());
            return connection.send(command, mode);
        }

        @Override
        public CompletableFuture<@Nullable Void> pause(long nanos) {
            return pause;
        }
    }

    /** After an Error it may end before anybody has stopped its renewals. */
    @Test
    void endedLoadIsRenewedNoMore() throws Exception {
        try (EmbeddedMemcached server = EmbeddedMemcached.start();
                ConnectionGroup group = new ConnectionGroup(PatientOptions.DEFAULTS, 1)) {
            Paused sender = new Paused(
                    group.newConnection(new ServerAddress(server.host(), server.port()), 0, Transport.EVENT_LOOP),
                    new CompletableFuture<>(),
                    new CopyOnWriteArrayList<>());
            ValueCoder<String> coder = new ValueCoder<>(Transcoder.utf8(), 1024, Clock.systemUTC(), false, false);
            AsyncSenderMetaClient<String> client = new AsyncSenderMetaClient<>(
                    new Calls(sender, null),
                    new MetaCommands<>(coder, KeyRule.NONE, LoadPlan.OPERATION),
                    PatientOptions.LONG);
            LoadOptions options = LoadOptions.DEFAULTS.withClaimTtl(Duration.ofMillis(60));
            LoadPlan<String> plan = new LoadPlan<>(sender, "k", "k", Duration.ofMinutes(1), options);
            MetaItem<String> won = Objects.requireNonNull(
                    client.send(client.commands().load(plan.request(), true)).join());

            RunningLoad load = RunningLoad.begin(client, plan, won);
            load.end(null);
            Thread.sleep(plan.renewalNanos() / 1_000_000); // A renewal is due then.
            sender.pause().complete(null);

            assertThat(load.stop().join()).isEqualTo(won.casUnique());
            assertThat(sender.verbs()).containsExactly("mg");
        }
    }
}
