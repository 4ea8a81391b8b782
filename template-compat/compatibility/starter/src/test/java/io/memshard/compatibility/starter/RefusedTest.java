// SPDX-License-Identifier: Apache-2.0
package io.memshard.compatibility.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;

/** A Spring Boot that the starter is not for. */
@ExtendWith(OutputCaptureExtension.class)
class RefusedTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @Test
    void theStartFailsWithOneSentence(CapturedOutput output) {
        String sentence = "memshard-spring-boot is for Spring Boot 3.5 and 4, but this is ";
        assertThatThrownBy(() -> SpringApplication.run(Application.class))
                .hasMessage(sentence + System.getProperty("expected.boot"));
        assertThat(output)
                .contains("APPLICATION FAILED TO START", sentence, "Change to Spring Boot 3.5 or later.")
                .doesNotContain("NoClassDefFoundError", "\tat ");
    }
}
