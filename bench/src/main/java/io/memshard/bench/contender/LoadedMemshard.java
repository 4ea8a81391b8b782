// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import io.memshard.client.TimeToLive;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Memshard of any build, with its defaults but for the number of connections, in a class loader of its own. So an old
 * build and a new one are two contenders of one run, which share the machine as it is at that minute.
 *
 * <p>Types and methods are found by their simple names and shapes, because packages may differ between builds. These
 * are {@code Memshard.builder()} with {@code servers}, {@code connectionsPerServer}, {@code requestTimeout} and {@code
 * build}, and {@code client(Transcoder)} and {@code asyncClient(Transcoder)} with {@code get} and {@code set}. Each is
 * bound once to a method handle, so that a call goes through no reflection.
 */
final class LoadedMemshard implements Contender {

    private final AutoCloseable memshard;
    private final MethodHandle get;
    private final MethodHandle set;
    private final MethodHandle getAsync;
    private final MethodHandle setAsync;

    /**
     * The build of {@link ContenderSettings#baselineJars()}; what is missing there is taken from this build's
     * libraries.
     */
    static Contender baseline(ContenderSettings settings) throws Exception {
        String jars = settings.baselineJars();
        if (jars == null) {
            throw new IllegalArgumentException("the jars of another build are not named (--baseline-jars)");
        }
        return new LoadedMemshard(MemshardBuild.of(jars), settings);
    }

    /** This build, from the class path of this process. */
    static Contender candidate(ContenderSettings settings) throws Exception {
        return new LoadedMemshard(MemshardBuild.ofThisProcess(), settings);
    }

    private LoadedMemshard(MemshardBuild build, ContenderSettings settings) throws Exception {
        Object builder = invoke(null, method(build.memshard(), "builder"));
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

    /** What the method of that name gives for the transcoder of plain bytes. */
    private Client client(String name) throws Exception {
        Method method = Arrays.stream(memshard.getClass().getMethods())
                .filter(each -> each.getName().equals(name) && each.getParameterCount() == 1)
                .filter(each -> each.getParameterTypes()[0].getSimpleName().equals("Transcoder"))
                .findFirst()
                .orElseThrow(() -> new NoSuchMethodException(memshard.getClass() + "." + name + "(Transcoder)"));
        Object bytes = invoke(null, method(method.getParameterTypes()[0], "bytes"));
        return new Client(method.getReturnType(), invoke(memshard, method, bytes));
    }

    /** A client with its public interface, by which its methods are found: the class of the instance may be hidden. */
    private record Client(Class<?> type, Object instance) {

        /** {@code name(parameters)} as a handle from objects to an object. */
        MethodHandle bound(String name, Class<?>... parameters) throws ReflectiveOperationException {
            return MethodHandles.publicLookup()
                    .unreflect(type.getMethod(name, parameters))
                    .bindTo(instance)
                    .asType(MethodType.genericMethodType(parameters.length));
        }

        /** {@code set(key, value, ttl)} that never expires, as a handle from key and value to an object. */
        MethodHandle storing() throws ReflectiveOperationException {
            return MethodHandles.insertArguments(bound("set", String.class, Object.class, Duration.class), 2, never());
        }

        /** The time to live without end. A build from before {@link TimeToLive} takes zero for it. */
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

    /** The public method with that name and those parameters, of which {@code int} may stand for {@code Integer}. */
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
}
