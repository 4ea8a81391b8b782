// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import io.memshard.bench.machine.JavaCommand;
import io.memshard.client.TimeToLive;
import java.io.File;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Memshard of any build, with its defaults except the number of connections, in a separate class loader. So an old
 * build and a new build can be contenders in the same run, with the machine in the same state.
 *
 * <p>Types and methods are found by their simple names and parameters, because packages may differ between builds.
 * These are {@code Memshard.builder()} with {@code servers}, {@code connectionsPerServer}, {@code requestTimeout} and
 * {@code build}, and {@code client(Transcoder)} and {@code asyncClient(Transcoder)} with {@code get} and {@code set}.
 * Each method of a client is bound to a method handle once, so that calls need no reflection.
 */
final class LoadedMemshard implements Contender {

    private final AutoCloseable memshard;
    private final MethodHandle get;
    private final MethodHandle set;
    private final MethodHandle getAsync;
    private final MethodHandle setAsync;

    /** Opens the build of {@link ContenderSettings#baselineJars()}. Missing libraries are taken from this build. */
    static Contender baseline(ContenderSettings settings) throws Exception {
        String jars = settings.baselineJars();
        if (jars == null) {
            throw new IllegalArgumentException("the jars of another build are not named (--baseline-jars)");
        }
        return new LoadedMemshard(Builds.memshard(jars), settings);
    }

    /** Opens this build, from the class path of this process. */
    static Contender candidate(ContenderSettings settings) throws Exception {
        return new LoadedMemshard(Builds.memshard(Builds.classPath()), settings);
    }

    private LoadedMemshard(Class<?> type, ContenderSettings settings) throws Exception {
        Object builder = invoke(null, method(type, "builder"));
        builder = invoke(builder, "servers", settings.address());
        builder = invoke(builder, "connectionsPerServer", settings.connections());
        builder = invoke(builder, "requestTimeout", ContenderSettings.TIMEOUT);
        memshard = (AutoCloseable) invoke(builder, "build");
        try {
            Client client = client("client");
            get = client.bound("get", String.class);
            set = client.storing();
            Client async = client("asyncClient");
            getAsync = async.bound("get", String.class);
            setAsync = async.storing();
            invoke(client.instance(), client.type().getMethod("version"));
        } catch (Exception e) {
            close();
            throw e;
        }
    }

    /** Returns the client that the method {@code name} creates for the transcoder of plain bytes. */
    private Client client(String name) throws Exception {
        Method method = Arrays.stream(memshard.getClass().getMethods())
                .filter(each -> each.getName().equals(name) && each.getParameterCount() == 1)
                .filter(each -> each.getParameterTypes()[0].getSimpleName().equals("Transcoder"))
                .findFirst()
                .orElseThrow(() -> new NoSuchMethodException(memshard.getClass() + "." + name + "(Transcoder)"));
        Object bytes = invoke(null, method(method.getParameterTypes()[0], "bytes"));
        return new Client(method.getReturnType(), invoke(memshard, method, bytes));
    }

    /** Client with its public interface, in which methods are looked up: the instance's class need not be public. */
    private record Client(Class<?> type, Object instance) {

        /** Returns a handle for {@code name(parameters)} that takes and returns {@code Object}. */
        MethodHandle bound(String name, Class<?>... parameters) throws ReflectiveOperationException {
            return MethodHandles.publicLookup()
                    .unreflect(type.getMethod(name, parameters))
                    .bindTo(instance)
                    .asType(MethodType.genericMethodType(parameters.length));
        }

        /**
         * Returns a handle for {@code set(key, value, ttl)} that takes key and value; the time to live is without end.
         */
        MethodHandle storing() throws ReflectiveOperationException {
            return MethodHandles.insertArguments(bound("set", String.class, Object.class, Duration.class), 2, never());
        }

        /** Returns the time to live without end. In a build without {@link TimeToLive}, zero stands for it. */
        private Duration never() throws ReflectiveOperationException {
            try {
                Class<?> times = type.getClassLoader().loadClass(TimeToLive.class.getName());
                return (Duration) times.getField("NEVER").get(null);
            } catch (ClassNotFoundException e) {
                return Duration.ZERO;
            }
        }
    }

    private static Object invoke(Object target, String name, Object... arguments) throws Exception {
        Class<?>[] types = Arrays.stream(arguments).map(Object::getClass).toArray(Class<?>[]::new);
        return invoke(target, method(target.getClass(), name, types), arguments);
    }

    private static Object invoke(@Nullable Object target, Method method, Object... arguments) throws Exception {
        try {
            return Objects.requireNonNull(method.invoke(target, arguments), method::toString);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /**
     * Returns the public method {@code name} with these parameter types, where {@code Integer} also matches a parameter
     * of type {@code int}.
     */
    private static Method method(Class<?> type, String name, Class<?>... parameters) throws NoSuchMethodException {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getName().equals(name))
                .filter(method -> Arrays.equals(
                        Arrays.stream(method.getParameterTypes())
                                .map(each -> MethodType.methodType(each).wrap().returnType())
                                .toArray(),
                        parameters))
                .findFirst()
                .orElseThrow(
                        () -> new NoSuchMethodException(type.getName() + "." + name + Arrays.toString(parameters)));
    }

    @Override
    public byte @Nullable [] get(String key) throws Exception {
        return (byte[]) call(get, key);
    }

    @Override
    public void set(String key, byte[] value) throws Exception {
        call(set, key, value);
    }

    @Override
    @SuppressWarnings("unchecked") // The client was made with the transcoder of bytes.
    public Future<byte @Nullable []> getAsync(String key) throws Exception {
        return (Future<byte[]>) Objects.requireNonNull(call(getAsync, key));
    }

    @Override
    public Future<?> setAsync(String key, byte[] value) throws Exception {
        return (Future<?>) Objects.requireNonNull(call(setAsync, key, value));
    }

    private static @Nullable Object call(MethodHandle handle, Object key) throws Exception {
        try {
            return handle.invokeExact(key);
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static @Nullable Object call(MethodHandle handle, Object key, Object value) throws Exception {
        try {
            return handle.invokeExact(key, value);
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            memshard.close();
        } catch (Exception e) {
            throw new IllegalStateException("cannot close " + memshard, e);
        }
    }

    /**
     * Builds of Memshard, each in a separate class loader. The loader searches the jars of the build first, then the
     * libraries on the class path of this process. It shares only classes of the JDK with this process.
     *
     * <p>A build is loaded once and kept. So its code stays compiled from one condition to the next, like the code of
     * the other contenders. Threads that outlive the closing of a client still find their classes.
     */
    private static final class Builds {

        private static final String MEMSHARD = "/Memshard.class";
        private static final String OURS = "io/memshard/";

        /** Class {@code Memshard} of each loaded build, by the class path of the build. */
        private static final Map<String, Class<?>> LOADED = new HashMap<>();

        private Builds() {}

        /**
         * Loads a build and returns its class {@code Memshard}.
         *
         * @param jars class path with the client and sharding jars, and with the libraries of which the build needs
         *     other versions than this build. A {@code *} as the last part of an entry stands for all jars of a folder
         * @throws IOException if an entry does not exist, or if no entry has a class {@code Memshard}
         */
        static synchronized Class<?> memshard(String jars) throws IOException, ClassNotFoundException {
            Class<?> loaded = LOADED.get(jars);
            if (loaded == null) {
                Set<Path> entries = new LinkedHashSet<>();
                for (String entry : jars.split(File.pathSeparator, -1)) {
                    entries.addAll(expanded(entry));
                }
                String name = memshardIn(entries).orElseThrow(() -> new IOException("no class Memshard in " + jars));
                for (String entry : classPath().split(File.pathSeparator, -1)) {
                    if (classes(Path.of(entry)).noneMatch(file -> file.startsWith(OURS))) {
                        entries.add(Path.of(entry));
                    }
                }
                List<URL> urls = new ArrayList<>();
                for (Path entry : entries) {
                    urls.add(entry.toUri().toURL());
                }
                loaded = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())
                        .loadClass(name);
                LOADED.put(jars, loaded);
            }
            return loaded;
        }

        /** Returns the existing entries of the class path of this process. */
        static String classPath() {
            return Stream.of(JavaCommand.ownClassPath().split(File.pathSeparator, -1))
                    .filter(entry -> Files.exists(Path.of(entry)))
                    .collect(Collectors.joining(File.pathSeparator));
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

        private static Optional<String> memshardIn(Set<Path> entries) throws IOException {
            for (Path entry : entries) {
                Optional<String> found =
                        classes(entry).filter(name -> name.endsWith(MEMSHARD)).findFirst();
                if (found.isPresent()) {
                    return found.map(file -> file.replace(".class", "").replace('/', '.'));
                }
            }
            return Optional.empty();
        }

        /** Returns the paths of the files within a jar or folder, such as {@code io/memshard/X.class}. */
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
}
