// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs a class over each transport and each protocol, which its constructor takes in this order. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedClass
@CsvSource({"EVENT_LOOP, META", "CALLER_DRIVEN, CLASSIC"})
public @interface EachTransportAndProtocol {}
