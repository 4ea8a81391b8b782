// SPDX-License-Identifier: Apache-2.0
package io.memshard.modular;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.testkit.ClosedPort;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.Program;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an application with a module descriptor of its own can import, compiled and run against the artifacts. */
@Tag("deep")
@Timeout(120)
class ModularApplicationIT {

    /** What a user's build has on its module path. Test libraries are left out. */
    private static final Pattern RUNTIME = Pattern.compile(
            "memshard(-client)?-[0-9][^/]*\\.jar|(client|sharding)/target/classes|(netty|slf4j-api|slf4j-simple|jspecify)-[^/]*\\.jar");

    private static final String NATIVE =
            "io.netty.transport.epoll.linux." + (System.getProperty("os.arch").equals("amd64") ? "x86_64" : "aarch_64");

    private static final String MODULE = "module application { requires io.memshard; }";

    @TempDir
    private Path directory;

    private static String modulePath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> RUNTIME.matcher(entry).find())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Compiles a module; what the compiler refuses. */
    private List<String> compile(String source) throws IOException {
        Path sources = Files.createDirectories(directory.resolve("src/application"));
        Path descriptor = Files.writeString(directory.resolve("src/module-info.java"), MODULE);
        Path main = Files.writeString(sources.resolve("Main.java"), source);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> told = new DiagnosticCollector<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(told, null, UTF_8)) {
            List<String> options = List.of("--module-path", modulePath(), "-d", classes());
            compiler.getTask(null, files, told, options, null, files.getJavaFileObjects(descriptor, main))
                    .call();
        }
        return told.getDiagnostics().stream()
                .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
                .map(diagnostic -> diagnostic.getMessage(null))
                .toList();
    }

    private String classes() {
        return directory.resolve("classes").toString();
    }

    private String run(Path javaHome, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(javaHome.resolve("bin/java").toString());
        command.addAll(List.of(arguments));
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS))
                    .as("the application ends")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(output);
    }

    /** Uses the API, and takes each way to an event. Its arguments are a server, a closed port and a silent server. */
    private static final String APPLICATION = """
            package application;

            import io.memshard.Memshard;
            import io.memshard.client.AsyncMemcachedClient;
            import io.memshard.client.MemcachedClient;
            import io.memshard.client.exception.MemcachedException;
            import io.memshard.client.listener.CommandEnd;
            import io.memshard.client.listener.ConnectionListener;
            import io.memshard.client.load.LoadOptions;
            import io.memshard.client.meta.GetRequest;
            import io.memshard.client.meta.ItemField;
            import io.memshard.client.meta.MetaItem;
            import io.memshard.client.meta.SetRequest;
            import io.memshard.client.meta.WriteStatus;
            import io.memshard.client.multi.MultiGetResult;
            import io.memshard.client.options.FailurePolicy;
            import io.memshard.client.options.Transport;
            import io.memshard.client.transcoder.Compression;
            import io.memshard.client.transcoder.Transcoder;
            import io.memshard.sharding.ConnectionChooser;
            import io.memshard.sharding.replica.ReplicaOptions;
            import java.time.Duration;
            import java.util.List;
            import java.util.Map;
            import java.util.concurrent.CompletableFuture;
            import java.util.concurrent.atomic.AtomicInteger;

            public class Main {
                static final Duration MINUTE = Duration.ofMinutes(1);

                public static void main(String[] arguments) throws Exception {
                    System.out.println(ModuleLayer.boot().modules().size() + " modules");
                    try (Memshard memshard = Memshard.builder().servers(arguments[0]).requestTimeout(MINUTE).build()) {
                        MemcachedClient<String> client = memshard.client(Transcoder.utf8());
                        client.set("a", "works", MINUTE);
                        System.out.println(client.get("a") + client.async().get("a").get());
                    }
                    AtomicInteger ends = new AtomicInteger();
                    try (Memshard memshard = Memshard.builder()
                            .servers(arguments[0])
                            .requestTimeout(MINUTE)
                            .connectTimeout(MINUTE)
                            .transport(Transport.AUTO)
                            .chooser(ConnectionChooser.roundRobin())
                            .failurePolicy(FailurePolicy.RETRY_ONCE_IF_SAFE)
                            .listener(new ConnectionListener() {
                                @Override
                                public void commandEnded(CommandEnd end) {
                                    ends.incrementAndGet();
                                }
                            })
                            .build()) {
                        MemcachedClient<String> client = memshard.client(Compression.gzip().around(Transcoder.utf8()));
                        client.set("b", "modular", MINUTE);
                        WriteStatus added = client.meta().set(SetRequest.of("b", "again").adding()).status();
                        MetaItem<String> item =
                                client.meta().get(GetRequest.of("b").returning(ItemField.VALUE, ItemField.TTL));
                        MultiGetResult<String> many = client.multiGet(List.of("b", "c"));
                        AsyncMemcachedClient<String> async = memshard.asyncClient(Transcoder.utf8());
                        String loaded = async.getOrLoad(
                                "d", MINUTE, key -> CompletableFuture.completedFuture("loaded"), LoadOptions.DEFAULTS)
                                .join();
                        Map<String, String> stats = memshard.admin().stats().answers().values().iterator().next();
                        System.out.println(item.value() + " " + added + " " + many.misses() + " " + loaded + " "
                                + (stats != null) + " " + (ends.get() > 0));
                    }
                    try (Memshard memshard = Memshard.builder().servers(arguments[2])
                            .connectTimeout(MINUTE).requestTimeout(Duration.ofMillis(100)).build()) { // silent
                        memshard.awaitReady(MINUTE);
                        memshard.client().get("a");
                    } catch (MemcachedException e) {
                        System.out.println(e.getClass().getSimpleName());
                    }
                    try (var zones = Memshard.builder().servers(arguments[0] + "@here, " + arguments[1] + "@there")
                            .requestTimeout(MINUTE).buildZones(ReplicaOptions.of("there"))) {
                        System.out.println(zones.client(Transcoder.utf8()).get("a") + " elsewhere");
                    }
                }
            }
            """;

    /** Compiles the application, and returns what it prints. */
    private String runApplication(Path javaHome, String... options) throws Exception {
        assertThat(compile(APPLICATION)).isEmpty();
        try (EmbeddedMemcached server = EmbeddedMemcached.start();
                ClosedPort closed = new ClosedPort();
                ScriptedServer silent = ScriptedServer.start()) {
            silent.onConnection(c -> c.greet().ignore());
            List<String> arguments = new ArrayList<>(List.of(options));
            arguments.add(server.host() + ":" + server.port());
            arguments.add("127.0.0.1:" + closed.port());
            arguments.add(silent.host() + ":" + silent.port());
            String printed = run(javaHome, arguments.toArray(String[]::new));
            assertThat(printed)
                    .containsSubsequence(
                            "worksworks",
                            "modular NOT_STORED [c] loaded true true",
                            "MemcachedTimeoutException",
                            "works elsewhere")
                    .doesNotContain("NoClassDefFoundError", "ClassNotFoundException");
            return printed;
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void applicationNeedsNothingButTheApi() throws Exception {
        Path javaHome = Path.of(System.getProperty("java.home"));
        String path = modulePath() + File.pathSeparator + classes();
        String main = "application/application.Main";
        runApplication(javaHome, "--module-path", path, "--module", main);
        runApplication(javaHome, "--add-modules", NATIVE, "--module-path", path, "--module", main);
    }

    private void assertThatItNeedsTwoModules(Path javaHome, String... options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.addAll(List.of("-cp", modulePath() + File.pathSeparator + classes(), "application.Main"));
        assertThat(runApplication(javaHome, arguments.toArray(String[]::new))).contains("2 modules");
    }

    @Test
    void applicationOnTheClassPathNeedsTwoModulesOfTheJdk() throws Exception {
        assertThatItNeedsTwoModules(Path.of(System.getProperty("java.home")), "--limit-modules", "java.logging");
    }

    @Test
    void applicationRunsOnTheSmallestImage() throws Exception {
        Path image = directory.resolve("image");
        java.util.spi.ToolProvider jlink = java.util.spi.ToolProvider.findFirst("jlink")
                .orElseThrow(() -> Program.skip("jlink: take a whole JDK"));
        assertThat(jlink.run(System.out, System.err, "--add-modules", "java.logging", "--output", image.toString()))
                .isZero();
        assertThatItNeedsTwoModules(image);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.memshard.client.argument.ValueCoder",
                "io.memshard.client.concurrent.Backoff",
                "io.memshard.client.connection.Connection",
                "io.memshard.client.sender.CommandSender",
                "io.memshard.client.link.Link",
                "io.memshard.client.link.CallerDrivenLink",
                "io.memshard.client.link.EventLoopOpener",
                "io.memshard.client.protocol.Command",
                "io.memshard.sharding.cluster.MemshardOptions",
            })
    void engineCannotBeImported(String type) throws Exception {
        String packageName = type.substring(0, type.lastIndexOf('.'));
        assertThat(compile("package application; public class Main { " + type + " engine; }"))
                .singleElement()
                .asString()
                .contains("package " + packageName + " is not visible");
    }
}
