// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import static net.bytebuddy.matcher.ElementMatchers.isAbstract;
import static net.bytebuddy.matcher.ElementMatchers.returns;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.sql.SQLWarning;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import net.bytebuddy.implementation.StubMethod;

/**
 * Turns an abstract class that implements a part of an interface into one that can be instantiated.
 *
 * <p>The interfaces of JDBC have 500 methods, of which pools call 50. A dynamic proxy would be measured too. So the
 * stubs are abstract classes with the methods that answer something. A subclass that is written here adds the others
 * that return nothing, a primitive or warnings: they answer nothing, 0 or false. Any other method throws {@link
 * AbstractMethodError} when it is called, which names it.
 *
 * <p>Threading: stateless.
 */
final class Complete {

    private Complete() {}

    /**
     * Returns the constructor of a subclass of {@code type}, which must have one constructor.
     *
     * @param lookup of {@code type}'s package
     * @return takes what that constructor takes and gives a {@code type}
     */
    static MethodHandle constructor(MethodHandles.Lookup lookup, Class<?> type) {
        Constructor<?> constructor = type.getDeclaredConstructors()[0];
        MethodType arguments = MethodType.methodType(void.class, constructor.getParameterTypes());
        try {
            Class<?> complete = new ByteBuddy()
                    .subclass(type)
                    .name(type.getName() + "Complete")
                    .method(isAbstract()
                            .and(returns(TypeDescription::isPrimitive).or(returns(SQLWarning.class))))
                    .intercept(StubMethod.INSTANCE)
                    .make()
                    .load(type.getClassLoader(), ClassLoadingStrategy.UsingLookup.of(lookup))
                    .getLoaded();
            return lookup.findConstructor(complete, arguments).asType(arguments.changeReturnType(type));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot complete " + type.getName(), e);
        }
    }
}
