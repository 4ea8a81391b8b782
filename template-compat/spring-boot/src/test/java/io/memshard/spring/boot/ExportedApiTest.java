// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.ModuleDescriptor;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The exported API, as {@code docs/exported-api.txt} lists it. That file changes only on purpose: run this test with
 * {@code -Dmemshard.api=write}, and commit the file with the change of the API.
 */
class ExportedApiTest {

    private static final Path LIST = Path.of("../../docs/exported-api.txt");

    /** Artifacts of Memshard on the class path: jars, or folders of classes where one build makes all. */
    private static final Pattern ARTIFACT = Pattern.compile("memshard(-[a-z-]+)?-\\d[^/]*(?<!-tests)\\.jar"
            + "|(testkit|client|sharding|template-compat|spring|spring-boot)/target/classes");

    /** Packages of artifacts without a module descriptor that are not part of the API. */
    private static final Set<String> INTERNAL = Set.of("io.memshard.template.spymemcached");

    /** Packages whose names would only make the list longer. */
    private static final Pattern JDK = Pattern.compile("\\bjava(\\.[a-z]+)+\\.(?=[A-Z])");

    private static final ToolProvider JAVAP = ToolProvider.findFirst("javap").orElseThrow();

    @Test
    void exportedApiIsAsListed() throws IOException {
        TreeMap<String, String> types = new TreeMap<>();
        for (Path artifact : artifacts()) {
            if (Files.isDirectory(artifact)) {
                addTypes(artifact, artifact, types);
            } else {
                try (FileSystem jar = FileSystems.newFileSystem(artifact)) {
                    addTypes(artifact, jar.getPath("/"), types);
                }
            }
        }
        String actual = types.size() + " types\n\n" + String.join("\n", types.values());

        if ("write".equals(System.getProperty("memshard.api"))) {
            Files.writeString(LIST, actual);
        }
        assertThat(actual)
                .as("the exported API; if it is to change, run ExportedApiTest with -Dmemshard.api=write")
                .isEqualTo(Files.readString(LIST));
    }

    private static List<Path> artifacts() {
        List<Path> artifacts = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> ARTIFACT.matcher(entry).find())
                .map(Path::of)
                .toList();
        assertThat(artifacts).hasSize(6);
        return artifacts;
    }

    private static void addTypes(Path artifact, Path root, TreeMap<String, String> types) throws IOException {
        Path descriptor = root.resolve("module-info.class");
        Set<String> exported = Files.exists(descriptor) ? exports(descriptor) : null;
        List<String> names = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root)) {
            files.map(file -> root.relativize(file).toString())
                    .filter(file -> file.endsWith(".class") && !file.endsWith("-info.class"))
                    .map(file ->
                            file.substring(0, file.length() - ".class".length()).replace('/', '.'))
                    .filter(name -> isExported(name.substring(0, name.lastIndexOf('.')), exported))
                    .forEach(names::add);
        }
        for (String name : names) {
            String shown = show(artifact, name);
            if (!shown.isEmpty()) {
                types.put(name, shown);
            }
        }
    }

    private static Set<String> exports(Path descriptor) throws IOException {
        try (InputStream in = Files.newInputStream(descriptor)) {
            return ModuleDescriptor.read(in).exports().stream()
                    .filter(export -> !export.isQualified())
                    .map(ModuleDescriptor.Exports::source)
                    .collect(Collectors.toSet());
        }
    }

    private static boolean isExported(String packageName, Set<String> exported) {
        return exported == null ? !INTERNAL.contains(packageName) : exported.contains(packageName);
    }

    /** Returns a public type and its public and protected members in the order of the alphabet; else nothing. */
    private static String show(Path artifact, String type) {
        StringWriter out = new StringWriter();
        PrintWriter writer = new PrintWriter(out);
        assertThat(JAVAP.run(writer, writer, "-protected", "-cp", artifact.toString(), type))
                .as(type)
                .isZero();
        List<String> lines = out.toString()
                .lines()
                .filter(line -> !line.startsWith("Compiled from") && !line.isBlank() && !line.equals("}"))
                .map(line -> JDK.matcher(line).replaceAll(""))
                .toList();
        String head = lines.get(0);
        if (!head.startsWith("public ")) {
            return "";
        }
        return head + "\n"
                + lines.stream().skip(1).sorted().map(line -> line + "\n").collect(Collectors.joining());
    }
}
