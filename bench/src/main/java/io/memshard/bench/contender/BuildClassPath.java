package io.memshard.bench.contender;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Where the classes of one build of Memshard are found: its jars first, then the libraries that it needs.
 *
 * <p>Threading: immutable.
 *
 * @param entries jars and folders of classes
 * @param memshard name of its class {@code Memshard}, whatever package that is in
 */
record BuildClassPath(List<Path> entries, String memshard) {

    private static final String MEMSHARD = "/Memshard.class";
    private static final String OURS = "io/memshard/";

    /**
     * Another build.
     *
     * @param jars class path with the client and sharding jars, and with libraries if it needs other versions than this
     *     build; {@code *} as the last part of an entry stands for all jars of a folder
     * @throws IOException if an entry is not there, or none has a class {@code Memshard}
     */
    static BuildClassPath of(String jars) throws IOException {
        List<Path> entries = new ArrayList<>();
        for (String entry : jars.split(File.pathSeparator, -1)) {
            entries.addAll(expanded(entry));
        }
        String memshard = memshardIn(entries).orElseThrow(() -> new IOException("no class Memshard in " + jars));
        for (Path entry : classPath()) {
            if (classes(entry).noneMatch(name -> name.startsWith(OURS))) {
                entries.add(entry);
            }
        }
        return new BuildClassPath(List.copyOf(entries), memshard);
    }

    /** The build that this process runs. */
    static BuildClassPath ofThisProcess() throws IOException {
        List<Path> entries = classPath();
        return new BuildClassPath(
                entries, memshardIn(entries).orElseThrow(() -> new IOException("no class Memshard on the class path")));
    }

    private static List<Path> classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(Path::of)
                .filter(Files::exists)
                .toList();
    }

    private static List<Path> expanded(String entry) throws IOException {
        if (entry.endsWith("*")) {
            try (Stream<Path> files = Files.list(Path.of(entry.substring(0, entry.length() - 1)))) {
                return files.filter(file -> file.toString().endsWith(".jar"))
                        .sorted()
                        .toList();
            }
        }
        Path path = Path.of(entry);
        if (!Files.exists(path)) {
            throw new IOException("there is no " + entry);
        }
        return List.of(path);
    }

    private static Optional<String> memshardIn(List<Path> entries) throws IOException {
        for (Path entry : entries) {
            Optional<String> found =
                    classes(entry).filter(name -> name.endsWith(MEMSHARD)).findFirst();
            if (found.isPresent()) {
                String file = found.get();
                return Optional.of(
                        file.substring(0, file.length() - ".class".length()).replace('/', '.'));
            }
        }
        return Optional.empty();
    }

    /** Files of a jar or folder, as {@code io/memshard/X.class}. */
    private static Stream<String> classes(Path entry) throws IOException {
        if (Files.isDirectory(entry)) {
            try (Stream<Path> files = Files.walk(entry)) {
                return files
                        .map(file -> entry.relativize(file).toString().replace(File.separatorChar, '/'))
                        .toList()
                        .stream();
            }
        }
        if (!entry.toString().endsWith(".jar")) {
            return Stream.empty();
        }
        try (JarFile jar = new JarFile(entry.toFile())) {
            return jar.stream().map(each -> each.getName()).toList().stream();
        }
    }

    /** A loader that sees these entries and the JDK, and nothing of this process. */
    URLClassLoader newLoader() throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        for (Path entry : entries) {
            urls.add(entry.toUri().toURL());
        }
        return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }
}
