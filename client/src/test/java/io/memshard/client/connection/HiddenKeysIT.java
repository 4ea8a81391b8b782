// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that hides keys shows none, in whatever way a command fails; another shows them all. */
@ParameterizedClass
@CsvSource({"EVENT_LOOP, META", "CALLER_DRIVEN, CLASSIC"})
@Timeout(120)
class HiddenKeysIT extends ConnectionFixture {

    private static final String KEY = "user:4711";

    @TempDir
    Path directory;

    HiddenKeysIT(Transport transport, Protocol protocol) {
        super(transport, protocol);
    }

    /** The answers to commands after the greeting, each on a connection of its own; empty for a hang-up. */
    private ScriptedServer failing(String answer) {
        return scriptedServer().onConnection(c -> {
            try {
                greet(c).readLine();
                c.send(answer);
            } catch (AssertionError e) {
                // The client was closed while it connected again.
            } finally {
                c.cut();
            }
        });
    }

    private static String printed(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text, true));
        return text.toString();
    }

    private static String failureOf(MemcachedClient<String> client, Consumer<MemcachedClient<String>> call) {
        try {
            call.accept(client);
            throw new AssertionError("no failure");
        } catch (MemcachedException e) {
            return printed(e);
        }
    }

    private MemcachedClient<String> client(ServerAddress server, Duration timeout) {
        return Clients.blocking(connect(server), Transcoder.utf8(), options().maxValueBytes(), timeout);
    }

    private static MemcachedClient<String> thatCannotDecode(MemcachedClient<String> client) {
        return client.withTranscoder(new Transcoder<>() {
            @Override
            public EncodedValue encode(String value) {
                return Transcoder.utf8().encode(value);
            }

            @Override
            public String decode(byte[] data, int flags) {
                throw new IllegalStateException("of the test");
            }
        });
    }

    /** What is printed of the failures of many kinds. */
    private List<String> failures() throws Exception {
        List<String> printed = new ArrayList<>();
        for (String answer : List.of(
                "",
                "SERVER_ERROR out of memory\r\n",
                "SERVER_ERROR for mg " + KEY + "\r\n",
                "CLIENT_ERROR bad data chunk of " + KEY + "\r\n",
                "VALUE " + KEY + "x 0 1\r\nx\r\nEND\r\n",
                "VA 1 k" + KEY + " O999\r\nx\r\n",
                KEY + "\r\n")) {
            printed.add(failureOf(client(address(failing(answer)), LONG), client -> client.get(KEY)));
            client(address(failing(answer)), LONG)
                    .multiGet(List.of(KEY, KEY + "b"))
                    .failures()
                    .values()
                    .forEach(failure -> printed.add(printed(failure)));
        }
        ScriptedServer silent = scriptedServer().onConnection(c -> greet(c).ignore());
        printed.add(failureOf(client(address(silent), BRIEF), client -> client.get(KEY)));
        printed.add(failureOf(client(address(scriptedServer().stopAccepting()), BRIEF), client -> client.get(KEY)));
        EmbeddedMemcached server = closedAfterwards(EmbeddedMemcached.start());
        MemcachedClient<String> living = client(new ServerAddress(server.host(), server.port()), LONG);
        living.set(KEY, "value", Duration.ofMinutes(1));
        printed.add(failureOf(thatCannotDecode(living), client -> client.get(KEY)));
        thatCannotDecode(living).multiGet(List.of(KEY)).failures().values().forEach(e -> printed.add(printed(e)));
        return printed;
    }

    private List<String> events(Recording recording) throws IOException {
        Path file = directory.resolve("recording.jfr");
        recording.dump(file);
        return RecordingFile.readAllEvents(file).stream()
                .map(RecordedEvent::toString)
                .toList();
    }

    private Recording recording() {
        Recording recording = new Recording();
        Stream.of("Command", "ConnectionState", "Timeout", "Overload")
                .forEach(event -> recording.enable("io.memshard." + event).withoutThreshold());
        recording.start();
        return recording;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void keysAreShownOnlyIfTheyAreNotHidden(boolean hidden) throws Exception {
        settings.hideKeys(hidden);
        try (Recording recording = recording()) {
            List<String> printed = failures();
            List<String> events = events(recording);

            assertThat(printed).hasSizeGreaterThan(12);
            assertThat(events).hasSizeGreaterThan(12);
            if (hidden) {
                assertThat(printed)
                        .noneMatch(each -> each.contains(KEY))
                        .anyMatch(each -> each.contains("(key hidden)"));
                assertThat(events).noneMatch(each -> each.contains(KEY));
            } else {
                assertThat(printed).allMatch(each -> each.contains(KEY));
                assertThat(events).anyMatch(each -> each.contains(KEY));
            }
        }
    }

    @Test
    void waitForAnotherLoaderShowsNoKey() {
        settings.hideKeys(true);
        if (options().protocol() == Protocol.CLASSIC) {
            return; // getOrLoad needs the meta protocol
        }
        EmbeddedMemcached server = closedAfterwards(EmbeddedMemcached.start());
        MemcachedClient<String> client = client(new ServerAddress(server.host(), server.port()), LONG);
        LoadOptions impatient =
                LoadOptions.DEFAULTS.withMaxWait(Duration.ofMillis(1)).withFailsAfterWait(true);
        client.getOrLoad(KEY, Duration.ofMinutes(1), key -> {
            assertThat(failureOf(client, other -> other.getOrLoad(KEY, Duration.ofMinutes(1), any -> "", impatient)))
                    .contains("another caller has been loading (key hidden)")
                    .doesNotContain(KEY);
            return "value";
        });
    }
}
