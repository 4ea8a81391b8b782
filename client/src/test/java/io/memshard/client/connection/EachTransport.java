// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.options.Transport;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs a class over each transport, which its constructor takes. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedClass
@EnumSource(
        value = Transport.class,
        names = {"EVENT_LOOP", "CALLER_DRIVEN"})
public @interface EachTransport {}
