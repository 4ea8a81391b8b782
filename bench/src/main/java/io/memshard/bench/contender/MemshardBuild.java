// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * One build of Memshard in a class loader of its own. The loader sees the jars of the build first, then the libraries
 * that it needs, and the JDK. It sees nothing of this process.
 *
 * <p>A build is loaded once and kept. So its code stays compiled from one condition to the next, as that of the other
 * contenders does. Threads that outlive the closing of a client still find their classes.
 *
 * <p>Threading: immutable.
 *
 * @param loader of its classes
 * @param memshard its class {@code Memshard}, whatever package that is in
 */
record MemshardBuild(ClassLoader loader, Class<?> memshard) {

    private static final String MEMSHARD = "/Memshard.class";
    private static final String OURS = "io/memshard/";

    /** Builds by the class path that named them; that of this process has an empty name. */
    private static final Map<String, MemshardBuild> LOADED = new HashMap<>();

    /**
     * Another build.
     *
     * @param jars class path with the client and sharding jars, and with libraries if it needs other versions than this
     * build. {@code *} as the last part of an entry stands for all jars of a folder
     * @throws IOException if an entry is not there, or none has a class {@code Memshard}
     */
    static synchronized MemshardBuild of(String jars) throws IOException, ClassNotFoundException {
        MemshardBuild loaded = LOADED.get(jars);
        if (loaded == null) {
            List<Path> entries = new ArrayList<>();
            for (String entry : jars.split(File.pathSeparator, -1)) {
                entries.addAll(expanded(entry));
            }
            List<Path> libraries = new ArrayList<>();
            for (Path entry : classPath()) {
                if (classes(entry).noneMatch(name -> name.startsWith(OURS))) {
                    libraries.add(entry);
                }
            }
            loaded = load(jars, entries, libraries);
            LOADED.put(jars, loaded);
        }
        return loaded;
    }

    /** The build that this process runs, loaded once more. */
    static synchronized MemshardBuild ofThisProcess() throws IOException, ClassNotFoundException {
        MemshardBuild loaded = LOADED.get("");
        if (loaded == null) {
            loaded = load("the class path", classPath(), List.of());
            LOADED.put("", loaded);
        }
        return loaded;
    }

    private static MemshardBuild load(String name, List<Path> entries, List<Path> libraries)
            throws IOException, ClassNotFoundException {
        String memshard = memshardIn(entries).orElseThrow(() -> new IOException("no class Memshard in " + name));
        List<URL> urls = new ArrayList<>();
        for (Path entry : entries) {
            urls.add(entry.toUri().toURL());
        }
        for (Path entry : libraries) {
            urls.add(entry.toUri().toURL());
        }
        ClassLoader loader = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        return new MemshardBuild(loader, loader.loadClass(memshard));
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
}
