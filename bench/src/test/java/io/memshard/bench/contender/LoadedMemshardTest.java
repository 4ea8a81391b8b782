// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.bench.command.BenchException;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A build whose packages and types have nothing in common with ours but their shape. */
class LoadedMemshardTest {

    private static final Map<String, String> SOURCES = Map.of(
            "elsewhere/Memshard",
            "import java.util.*; import elsewhere.codec.Transcoder; public class Memshard implements AutoCloseable {"
                    + " final Map<String, Object> items = new HashMap<>(); final String made;"
                    + " Memshard(String made) { this.made = made; }"
                    + " public static Builder builder() { return new Builder(); }"
                    + " public <V> Client<V> client(Transcoder<V> t) { return new Hidden<V>(this); }"
                    + " public <V> Later<V> asyncClient(Transcoder<V> t) { return new HiddenLater<V>(this); }"
                    + " public void close() { items.put(\"closed\", made); } }",
            "elsewhere/Builder",
            "import java.time.Duration; public class Builder { private String made = \"\";"
                    + " public Builder servers(String s) { made += s; return this; }"
                    + " public Builder connectionsPerServer(int n) { made += \" x\" + n; return this; }"
                    + " public Builder requestTimeout(Duration d) { made += \" \" + d; return this; }"
                    + " public Memshard build() { return new Memshard(made); } }",
            "elsewhere/Client",
            "import java.time.Duration; public interface Client<V> { V get(String key);"
                    + " void set(String key, V value, Duration ttl); String version(); }",
            "elsewhere/Later",
            "import java.time.Duration; import java.util.concurrent.CompletableFuture; public interface Later<V> {"
                    + " CompletableFuture<V> get(String key);"
                    + " CompletableFuture<Void> set(String key, V value, Duration ttl); }",
            "elsewhere/Hidden",
            "import java.time.Duration; class Hidden<V> implements Client<V> { final Memshard m;"
                    + " Hidden(Memshard m) { this.m = m; }"
                    + " public V get(String key) { @SuppressWarnings(\"unchecked\") V v = (V) m.items.get(key);"
                    + " if (key.equals(\"fail\")) throw new MemcachedTimeoutException(); return v; }"
                    + " public void set(String key, V value, Duration ttl) { m.items.put(key, value); }"
                    + " public String version() { m.items.put(\"made\", m.made.getBytes()); return \"1\"; } }",
            "elsewhere/HiddenLater",
            "import java.time.Duration; import java.util.concurrent.CompletableFuture;"
                    + " class HiddenLater<V> implements Later<V> { final Hidden<V> c;"
                    + " HiddenLater(Memshard m) { c = new Hidden<V>(m); }"
                    + " public CompletableFuture<V> get(String key) {"
                    + " return CompletableFuture.completedFuture(c.get(key)); }"
                    + " public CompletableFuture<Void> set(String key, V value, Duration ttl) {"
                    + " c.set(key, value, ttl); return CompletableFuture.completedFuture(null); } }",
            "elsewhere/MemcachedTimeoutException",
            "class MemcachedTimeoutException extends RuntimeException {}",
            "elsewhere/codec/Transcoder",
            "public interface Transcoder<V> { static Transcoder<byte[]> bytes() { return new Transcoder<>() {}; } }");

    @TempDir
    private Path folder;

    @Test
    void aBuildWithOtherPackagesIsFoundByItsShapeAndItsTimeoutIsATimeout() throws Exception {
        Path classes = compiled();
        try (Contender contender = ContenderKind.MEMSHARD_BASELINE.open(settings(classes.toString()))) {
            assertThat(contender.get("made")).asString().isEqualTo("localhost:1 x3 PT2.5S");
            contender.set("one", new byte[] {1});
            assertThat(contender.get("one")).containsExactly(1);
            contender.setAsync("two", new byte[] {2}).get();
            assertThat(contender.getAsync("two").get()).containsExactly(2);
            assertThat(contender.get("three")).isNull();
            assertThatExceptionOfType(RuntimeException.class)
                    .isThrownBy(() -> contender.get("fail"))
                    .matches(Contender::isTimeout);
        }
    }

    @Test
    void jarsThatAreMissingOrHoldNoMemshardAreNamed() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        for (String jars : List.of(empty.toString(), folder.resolve("none.jar").toString())) {
            assertThatExceptionOfType(BenchException.class)
                    .isThrownBy(() -> ContenderKind.MEMSHARD_BASELINE.open(settings(jars)))
                    .withMessageContaining("cannot open contender memshard-baseline")
                    .withMessageContaining(jars);
        }
    }

    private static ContenderSettings settings(String jars) {
        return new ContenderSettings(List.of(InetSocketAddress.createUnresolved("localhost", 1)), 3, 1, jars);
    }

    private Path compiled() throws IOException {
        List<String> arguments = new ArrayList<>();
        Path classes = Files.createDirectories(folder.resolve("classes"));
        arguments.addAll(List.of("-proc:none", "-d", classes.toString()));
        for (Map.Entry<String, String> source : SOURCES.entrySet()) {
            Path file = folder.resolve("source").resolve(source.getKey() + ".java");
            Files.createDirectories(file.getParent());
            String name = source.getKey()
                    .substring(0, source.getKey().lastIndexOf('/'))
                    .replace('/', '.');
            Files.writeString(file, "package " + name + "; " + source.getValue());
            arguments.add(file.toString());
        }
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "no compiler: a JRE?");
        int status = compiler.run(null, null, null, arguments.toArray(String[]::new));
        assertThat(status)
                .as(arguments.stream().collect(Collectors.joining(File.pathSeparator)))
                .isZero();
        return classes;
    }
}
