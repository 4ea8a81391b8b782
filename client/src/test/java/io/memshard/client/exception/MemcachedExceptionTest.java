// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.Set;
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
                new MemcachedIllegalKeyException("what", context, CAUSE),
                new MemcachedReplicationException(
                        "what",
                        context,
                        Set.of(),
                        Map.of("zone", new MemcachedTimeoutException("why", context, CAUSE))),
                new MemcachedDecodingException("what", 7, CAUSE).at(context));
    }

    @Test
    void endOfAWaitForSeveralCommandsIsNotSafeToRetry() {
        assertThat(new MemcachedInterruptedException("what", null, CAUSE).isSafeToRetry())
                .isFalse();
        assertThat(new MemcachedTimeoutException("what", null, CAUSE).isSafeToRetry())
                .isFalse();
        assertThat(new MemcachedInterruptedException("what", context("a", Phase.QUEUED), CAUSE).isSafeToRetry())
                .isTrue();
    }

    @ParameterizedTest
    @MethodSource("failures")
    void failureOfAnotherKeyDiffersOnlyInTheKey(MemcachedException failure) {
        MemcachedException other = failure.ofKey("b");

        assertThat(other).hasSameClassAs(failure);
        assertThat(other.getCause()).isSameAs(failure.getCause());
        assertThat(other.context()).isEqualTo(context("b", Phase.QUEUED));
        assertThat(failure.context()).isEqualTo(context("a", Phase.QUEUED));
        assertThat(other.getMessage()).isEqualTo(failure.getMessage().replace("\"a\"", "\"b\""));
        assertThat(failure).hasMessageEndingWith("mg \"a\" on server:1[2], queued");
        assertThat(other.isSafeToRetry()).isEqualTo(failure.isSafeToRetry());
        assertThat(failure.ofKey("a").getMessage()).isEqualTo(failure.getMessage());
    }

    /** Test runners, remote calls and distributed frameworks send failures to another JVM. */
    @ParameterizedTest
    @MethodSource("failures")
    void failureCanBeSerialized(MemcachedException failure) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(failure);
        MemcachedException other =
                (MemcachedException) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();

        assertThat(other).hasSameClassAs(failure).hasMessage(failure.getMessage());
        assertThat(other.context()).isEqualTo(failure.context());
        assertThat(other.getCause())
                .hasSameClassAs(failure.getCause())
                .hasMessage(failure.getCause().getMessage());
        assertThat(other.isSafeToRetry()).isEqualTo(failure.isSafeToRetry());
    }

    @ParameterizedTest
    @EnumSource
    void failureOfAnotherKeyHasTheSamePhase(Phase phase) {
        MemcachedException failure = new MemcachedTimeoutException("what", context("a", phase), null);
        MemcachedException other = failure.ofKey("b");

        assertThat(other.isSafeToRetry()).isEqualTo(failure.isSafeToRetry()).isEqualTo(phase == Phase.QUEUED);
        assertThat(other.getStackTrace()).isNotEmpty().isEqualTo(failure.getStackTrace());
    }

    /** Causes are printed with the stack trace, and logged. */
    @Test
    void theCauseOfADecodingFailureQuotesNoValue() {
        IOException endless = new IOException("hunter2");
        endless.initCause(new IllegalStateException("hunter2", endless));
        StringWriter printed = new StringWriter();
        new MemcachedDecodingException("what", 7, endless)
                .at(context("a", Phase.REPLIED))
                .ofKey("b")
                .printStackTrace(new PrintWriter(printed));

        assertThat(printed.toString())
                .doesNotContain("hunter2")
                .contains("WithoutMessage: java.io.IOException", "WithoutMessage: java.lang.IllegalStateException")
                .contains("theCauseOfADecodingFailureQuotesNoValue");
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

    @Test
    void keyForgesNoLineOfALog() {
        String key = "user\u2028INFO all is well\u0085\u202e\u00fc" + "x".repeat(40);

        assertThat(new MemcachedTimeoutException("what", context(key, Phase.QUEUED), null))
                .hasMessageStartingWith("what: mg \"user\\u2028INFO all is well\\u0085\\u202e\u00fcx")
                .hasMessageContaining("... (" + key.length() + " chars)\" on server:1[2]");
    }
}
