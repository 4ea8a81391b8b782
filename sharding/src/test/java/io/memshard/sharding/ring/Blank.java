// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import java.lang.reflect.Field;

/** Objects of other clients without their connections and threads, which their constructors would make. */
final class Blank {

    private Blank() {}

    /** An object that no constructor ran for. */
    static <T> T instance(Class<T> type) throws ReflectiveOperationException {
        Class<?> unsafe = Class.forName("sun.misc.Unsafe");
        Field only = unsafe.getDeclaredField("theUnsafe");
        only.setAccessible(true);
        return type.cast(unsafe.getMethod("allocateInstance", Class.class).invoke(only.get(null), type));
    }

    static void set(Object object, Class<?> declaring, String field, Object value) throws ReflectiveOperationException {
        Field found = declaring.getDeclaredField(field);
        found.setAccessible(true);
        found.set(object, value);
    }
}
