package io.memshard.client.exception;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class MemcachedExceptionTest {

    private static final IOException CAUSE = new IOException("cause");

    private static CommandContext context(@Nullable String key, Phase phase) {
        return new CommandContext("server:1", 2, "mg", key, phase);
    }

    static Stream<MemcachedException> failures() {
        CommandContext context = context("a", Phase.QUEUED);
        return Stream.of(
                new MemcachedTimeoutException("what", context, CAUSE),
                new MemcachedOverloadException("what", context, CAUSE),
                new MemcachedConnectionException("what", context, CAUSE),
                new MemcachedAuthenticationException("what", context, CAUSE),
                new MemcachedProtocolException("what", context, CAUSE),
                new MemcachedServerException("what", context, CAUSE),
                new MemcachedInterruptedException("what", context, CAUSE),
                new MemcachedValueTooLargeException("what", context, CAUSE),
                new MemcachedUnsupportedException("what", context, CAUSE),
                new MemcachedDecodingException("what", 7, CAUSE).at(context));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void failureOfAnotherKeyDiffersOnlyInTheKey(MemcachedException failure) {
        MemcachedException other = failure.ofKey("b");

        assertThat(other).hasSameClassAs(failure).hasCause(CAUSE);
        assertThat(other.context()).isEqualTo(context("b", Phase.QUEUED));
        assertThat(failure.context()).isEqualTo(context("a", Phase.QUEUED));
        assertThat(other.getMessage()).isEqualTo(failure.getMessage().replace("\"a\"", "\"b\""));
        assertThat(failure).hasMessageEndingWith("mg \"a\" on server:1[2], queued");
        assertThat(other.isSafeToRetry()).isEqualTo(failure.isSafeToRetry());
        assertThat(failure.ofKey("a").getMessage()).isEqualTo(failure.getMessage());
    }

    @ParameterizedTest
    @EnumSource
    void failureOfAnotherKeyHasTheSamePhase(Phase phase) {
        MemcachedException failure = new MemcachedTimeoutException("what", context("a", phase), null);
        MemcachedException other = failure.ofKey("b");

        assertThat(other.isSafeToRetry()).isEqualTo(failure.isSafeToRetry()).isEqualTo(phase == Phase.QUEUED);
        assertThat(other.getStackTrace()).isNotEmpty().isEqualTo(failure.getStackTrace());
    }

    @Test
    void failuresOfKeysShareNoState() {
        MemcachedException failure = new MemcachedTimeoutException("what", context("a", Phase.WRITTEN), null);
        MemcachedException other = failure.ofKey("b");
        other.addSuppressed(CAUSE);
        other.setStackTrace(new StackTraceElement[0]);

        assertThat(failure).hasNoSuppressedExceptions();
        assertThat(failure.getStackTrace()).isNotEmpty();
    }

    @Test
    void failureOfNoCommandIsForEachKey() {
        MemcachedException failure = new MemcachedTimeoutException("too late", null, null);

        assertThat(failure.ofKey("b")).isSameAs(failure).hasMessage("too late");
        assertThat(new MemcachedDecodingException("what", 7, null).ofKey("b").key())
                .isEqualTo("b");
    }
}
