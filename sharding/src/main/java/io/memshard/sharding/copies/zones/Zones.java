// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.zones;

import io.memshard.client.concurrent.ClientLog;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedReplicationException;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ZoneOutcome;
import io.memshard.client.protocol.ItemsCommand;
import io.memshard.client.sender.CommandSender;
import io.memshard.sharding.copies.Answer;
import io.memshard.sharding.copies.Copies;
import io.memshard.sharding.copies.Copies.Copy;
import io.memshard.sharding.copies.CopiesSender;
import io.memshard.sharding.copies.ItemCopier;
import io.memshard.sharding.copies.ItemCopier.Result;
import io.memshard.sharding.replica.ReplicaOptions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

final class Zones extends Copies {

    private static final ClientLog LOG = ClientLog.of(Replicas.class);

    /** Time to live of items from servers without meta commands, which do not report times to live. */
    private static final Duration TTL_IF_UNKNOWN = Duration.ofMinutes(1);

    private static final int MAX_COPIES = 256;

    private final ReplicaOptions options;
    private final @Nullable ConnectionListener listener;

    Zones(Map<String, ? extends CommandSender> senders, ReplicaOptions options, @Nullable ConnectionListener listener) {
        super(
                ownFirst(senders, options),
                options.decider(),
                new ItemCopier(Clock.systemUTC(), TTL_IF_UNKNOWN, () -> true, MAX_COPIES),
                new Rules(options.readsOthersOnMiss(), options.addsOnMiss(), false, true, key -> true));
        this.options = options;
        this.listener = listener;
    }

    private static List<Copy> ownFirst(Map<String, ? extends CommandSender> senders, ReplicaOptions options) {
        options.check(senders.keySet());
        List<Copy> ownFirst = new ArrayList<>();
        senders.forEach((name, sender) ->
                ownFirst.add(name.equals(options.own()) ? 0 : ownFirst.size(), new Copy(name, sender)));
        return List.copyOf(ownFirst);
    }

    Zones(Zones other, String key) {
        super(other, key);
        this.options = other.options;
        this.listener = other.listener;
    }

    ReplicaOptions options() {
        return options;
    }

    int required() {
        return options.acknowledgement().required(inOrder().size());
    }

    String resultZone(Map<String, Answer> done) {
        if (required() < inOrder().size() && done.containsKey(first().name())) {
            return first().name();
        }
        List<String> decidingFirst = Stream.concat(Stream.of(decider()), inOrder().stream())
                .map(Copy::name)
                .filter(done::containsKey)
                .toList();
        return decidingFirst.stream()
                .filter(zone -> Objects.requireNonNull(done.get(zone)).hasChanged())
                .findFirst()
                .orElse(decidingFirst.get(0));
    }

    @Override
    protected void added(Result result) {}

    @Override
    protected void notAdded(Throwable thrown) {
        reportLate(first().name(), "copy", thrown);
    }

    @Override
    protected void ended(
            ItemsCommand<?> command,
            Map<String, Integer> served,
            Map<String, MemcachedException> failures,
            int misses,
            int failedSteps) {
        report(command, served, failures, Set.of());
    }

    void report(
            ItemsCommand<?> command,
            Map<String, Integer> served,
            Map<String, MemcachedException> failures,
            Set<String> pending) {
        if (listener != null) {
            report(each -> each.zonesEnded(
                    new ZoneOutcome(command.operation(), command.keyCount(), served, failures, pending)));
        }
    }

    private void report(Consumer<ConnectionListener> event) {
        try {
            if (listener != null) {
                event.accept(listener);
            }
        } catch (Throwable e) {
            LOG.warn("a ConnectionListener threw an exception when it was notified of an event of a zone", e);
        }
    }

    void reportFailureOf(String zone, String operation, CompletableFuture<?> unawaited) {
        Futures.atEnd(
                unawaited,
                (answer, thrown) -> reportLate(zone, operation, thrown),
                thrown -> LOG.warn("{} failed in zone {}; no caller waited for the result", operation, zone, thrown));
    }

    void reportLate(String zone, String operation, @Nullable Throwable thrown) {
        if (thrown == null) {
            return;
        }
        if (!(Futures.cause(thrown) instanceof MemcachedException failure)) {
            LOG.warn("{} failed in zone {}; no caller waited for the result", operation, zone, thrown);
        } else {
            report(each -> each.zoneFailedLater(zone, operation, failure));
        }
    }

    MemcachedException tooFew(Set<String> done, Map<String, MemcachedException> failures, CommandContext context) {
        for (MemcachedException failure : failures.values()) {
            if (!CopiesSender.isOfServer(failure)) {
                // Each zone rejects the command, for example because the value is too large.
                return failure;
            }
        }
        String text = failures.entrySet().stream()
                .map(each -> "; " + each.getKey() + ": " + each.getValue().getMessage())
                .collect(Collectors.joining(
                        "",
                        "the write succeeded in zones " + done + " but not in " + failures.keySet()
                                + ": acknowledgement=" + options.acknowledgement() + " needs " + required() + " of "
                                + inOrder().size() + " zones",
                        ""));
        return new MemcachedReplicationException(text, context, done, failures);
    }

    @Override
    public String toString() {
        return inOrder().stream().map(Copy::name).toList().toString();
    }
}
