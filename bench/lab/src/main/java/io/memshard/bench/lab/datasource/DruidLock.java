// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import io.memshard.bench.lab.variant.Bean;
import java.lang.reflect.Field;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Looks which lock a Druid pool really has. Until 1.1.21 the order of two setters decides: {@code
 * setUseUnfairLock(true)} before {@code setMaxWait} leaves a fair lock.
 */
final class DruidLock {

    private DruidLock() {}

    static boolean isFair(Bean druid) throws ReflectiveOperationException {
        Object source = druid.as(Object.class);
        for (Class<?> type = source.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals("lock") && field.getType() == ReentrantLock.class) {
                    field.setAccessible(true);
                    return ((ReentrantLock) field.get(source)).isFair();
                }
            }
        }
        throw new NoSuchFieldException("lock of " + source.getClass().getName());
    }
}
