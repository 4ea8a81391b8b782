package io.memshard.client;

import io.memshard.client.connection.CommandSender;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.Version;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The asynchronous client over whatever takes commands. See {@link Clients#async}. */
final class AsyncSenderClient<V> implements AsyncMemcachedClient<V> {

    private final CommandSender sender;
    private final ClientCommands<V> commands;
    private final Duration timeout;

    AsyncSenderClient(CommandSender sender, ClientCommands<V> commands, Duration timeout) {
        this.sender = sender;
        this.commands = commands;
        this.timeout = timeout;
    }

    private <T> CompletableFuture<T> send(Command<T> command) {
        return sender.send(command).toFuture(timeout);
    }

    @Override
    public CompletableFuture<@Nullable V> get(String key) {
        return send(commands.get(key));
    }

    @Override
    public CompletableFuture<@Nullable CasValue<V>> gets(String key) {
        return send(commands.gets(key));
    }

    @Override
    public CompletableFuture<@Nullable V> getAndTouch(String key, Duration ttl) {
        return send(commands.getAndTouch(key, ttl));
    }

    @Override
    public CompletableFuture<MultiGetResult<V>> getAll(Collection<String> keys) {
        return AsyncBulk.start(new MultiGet<>(commands, keys), sender, timeout);
    }

    @Override
    public CompletableFuture<MultiSetResult> setAll(Map<String, ? extends V> values, Duration ttl) {
        return AsyncBulk.start(new MultiSet(commands, values, ttl), sender, timeout);
    }

    @Override
    public CompletableFuture<MultiDeleteResult> deleteAll(Collection<String> keys) {
        return AsyncBulk.start(new MultiDelete(keys), sender, timeout);
    }

    @Override
    public CompletableFuture<@Nullable Void> set(String key, V value, Duration ttl) {
        return send(commands.set(key, value, ttl));
    }

    @Override
    public CompletableFuture<Boolean> add(String key, V value, Duration ttl) {
        return send(commands.add(key, value, ttl));
    }

    @Override
    public CompletableFuture<Boolean> replace(String key, V value, Duration ttl) {
        return send(commands.replace(key, value, ttl));
    }

    @Override
    public CompletableFuture<Boolean> append(String key, V value) {
        return send(commands.append(key, value));
    }

    @Override
    public CompletableFuture<Boolean> prepend(String key, V value) {
        return send(commands.prepend(key, value));
    }

    @Override
    public CompletableFuture<CasResult> cas(String key, V value, long casUnique, Duration ttl) {
        return send(commands.cas(key, value, casUnique, ttl));
    }

    @Override
    public CompletableFuture<Boolean> delete(String key) {
        return send(commands.delete(key));
    }

    @Override
    public CompletableFuture<OptionalLong> incr(String key, long delta) {
        return send(commands.incr(key, delta));
    }

    @Override
    public CompletableFuture<Long> incr(String key, long delta, long initial, Duration ttl) {
        return send(commands.incr(key, delta, initial, ttl));
    }

    @Override
    public CompletableFuture<OptionalLong> decr(String key, long delta) {
        return send(commands.decr(key, delta));
    }

    @Override
    public CompletableFuture<Long> decr(String key, long delta, long initial, Duration ttl) {
        return send(commands.decr(key, delta, initial, ttl));
    }

    @Override
    public CompletableFuture<Boolean> touch(String key, Duration ttl) {
        return send(commands.touch(key, ttl)).thenApply(Objects::nonNull);
    }

    @Override
    public CompletableFuture<String> version() {
        return send(new Version());
    }

    @Override
    public AsyncMetaClient<V> meta() {
        return new AsyncSenderMetaClient<>(sender, commands.meta(), timeout);
    }

    @Override
    public <W> AsyncMemcachedClient<W> withTranscoder(Transcoder<W> transcoder) {
        return new AsyncSenderClient<>(sender, commands.withTranscoder(transcoder), timeout);
    }

    @Override
    public AsyncMemcachedClient<V> withTimeout(Duration newTimeout) {
        return new AsyncSenderClient<>(sender, commands, ConnectionOptions.checkedTimeout("timeout", newTimeout));
    }

    @Override
    public AsyncMemcachedClient<V> withFailurePolicy(FailurePolicy policy) {
        return policy == FailurePolicy.FAIL_FAST
                ? this
                : new AsyncPolicyClient<>(new AsyncAttempts<>(
                        this, new AsyncSenderClient<>(new SecondAttempts(sender), commands, timeout), policy));
    }
}
