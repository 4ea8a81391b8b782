// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;
import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Linux system call {@code futex}, by which one thread wakes many others. Threading: thread-safe.
 *
 * <p>The class calls the foreign function API of JDK 22 by reflection, because the library also runs on JDK 17. It uses
 * this API only if native access is enabled, because otherwise the JDK prints a warning.
 *
 * <p>Source: {@code futex(2)} of the Linux manual, {@code FUTEX_WAIT_BITSET} and {@code FUTEX_WAKE_BITSET}. The
 * deadline of a wait is a time of {@code CLOCK_MONOTONIC}, the clock of {@link System#nanoTime()} on Linux.
 */
final class Futex {

    private static final ClientLog LOG = ClientLog.of(Futex.class);
    private static final int FIRST_JDK = 22;
    private static final long PRIVATE = 128;
    private static final long WAIT_BITSET = 9 | PRIVATE;
    private static final long WAKE_BITSET = 10 | PRIVATE;
    private static final long UNUSED = 0;
    private static final long CLOCK = 1;
    static final int TIME_BYTES = 2 * Long.BYTES;
    private static final long NUMBER = number(202, 98);
    private static final long CLOCK_NUMBER = number(228, 113);
    private static final @Nullable MethodHandle SYSCALL = syscall();

    private Futex() {}

    private static long number(long onX86, long onArm) {
        return number(System.getProperty("os.name"), System.getProperty("os.arch"), onX86, onArm);
    }

    static long number(String system, String processor, long onX86, long onArm) {
        if (!system.equals("Linux")) {
            return 0;
        }
        return switch (processor) {
            case "amd64", "x86_64" -> onX86;
            case "aarch64" -> onArm;
            default -> 0;
        };
    }

    private static @Nullable MethodHandle syscall() {
        if (NUMBER == 0 || Runtime.version().feature() < FIRST_JDK) {
            return null;
        }
        try {
            MethodHandle syscall = isNativeAccessEnabled() ? linkSyscall() : null;
            return syscall != null && works(syscall) ? syscall : null;
        } catch (ReflectiveOperationException | RuntimeException | Error e) {
            // Catches an Error too, because a failed class initializer would make this class unusable.
            LOG.debug("the system call futex is not available, so callers are woken one by one", e);
            return null;
        }
    }

    private static boolean isNativeAccessEnabled() throws ReflectiveOperationException {
        return (boolean) Module.class.getMethod("isNativeAccessEnabled").invoke(Futex.class.getModule());
    }

    private static MethodHandle linkSyscall() throws ReflectiveOperationException {
        Class<?> linkerType = foreign("Linker");
        Class<?> layoutType = foreign("MemoryLayout");
        Class<?> descriptorType = foreign("FunctionDescriptor");
        Class<?> optionType = foreign("Linker$Option");
        Object linker = linkerType.getMethod("nativeLinker").invoke(null);
        Object symbols = linkerType.getMethod("defaultLookup").invoke(linker);
        Optional<?> found = (Optional<?>)
                foreign("SymbolLookup").getMethod("find", String.class).invoke(symbols, "syscall");
        Object number = foreign("ValueLayout").getField("JAVA_LONG").get(null);
        Object numbers = Array.newInstance(layoutType, 7);
        Arrays.fill((Object[]) numbers, number);
        Object descriptor =
                descriptorType.getMethod("of", layoutType, numbers.getClass()).invoke(null, number, numbers);
        Object options = Array.newInstance(optionType, 0);
        return (MethodHandle) linkerType
                .getMethod("downcallHandle", foreign("MemorySegment"), descriptorType, options.getClass())
                .invoke(linker, found.orElseThrow(), descriptor, options);
    }

    private static Class<?> foreign(String name) throws ClassNotFoundException {
        return Class.forName("java.lang.foreign." + name);
    }

    static boolean isAvailable() {
        return SYSCALL != null;
    }

    /** Returns whether the system call works and uses the JVM's clock. Another clock might make waits too long. */
    private static boolean works(MethodHandle syscall) {
        ByteBuffer time = ByteBuffer.allocateDirect(TIME_BYTES).order(ByteOrder.nativeOrder());
        try {
            long address = address(time);
            long before = System.nanoTime();
            long failed = call(syscall, CLOCK_NUMBER, CLOCK, address, UNUSED, UNUSED, 0)
                    | call(syscall, NUMBER, address, WAKE_BITSET, 1, UNUSED, 1);
            long now = TimeUnit.SECONDS.toNanos(time.getLong(0)) + time.getLong(Long.BYTES);
            return failed == 0 && now - before >= 0 && System.nanoTime() - now >= 0;
        } finally {
            Reference.reachabilityFence(time);
        }
    }

    static long address(ByteBuffer direct) {
        try {
            Object segment =
                    foreign("MemorySegment").getMethod("ofBuffer", Buffer.class).invoke(null, direct);
            return (long) foreign("MemorySegment").getMethod("address").invoke(segment);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the address of a buffer cannot be read", e);
        }
    }

    /** Waits, even if interrupted. {@code endAddress} is the address of a {@code timespec}; 0 means no deadline. */
    static void await(long address, int expected, int bit, long endAddress) {
        call(address, WAIT_BITSET, Integer.toUnsignedLong(expected), endAddress, bit);
    }

    static void wake(long address, int bits) {
        call(address, WAKE_BITSET, Integer.MAX_VALUE, UNUSED, bits);
    }

    private static void call(long address, long operation, long value, long endAddress, int bits) {
        MethodHandle syscall = SYSCALL;
        if (syscall == null) {
            throw new IllegalStateException("the system call futex is not available");
        }
        // The result is not needed, because a woken caller checks its condition again.
        call(syscall, NUMBER, address, operation, value, endAddress, bits);
    }

    private static long call(
            MethodHandle syscall, long number, long first, long second, long third, long fourth, int sixth) {
        try {
            return (long)
                    syscall.invokeExact(number, first, second, third, fourth, UNUSED, Integer.toUnsignedLong(sixth));
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new LinkageError("the system call futex failed", e);
        }
    }
}
