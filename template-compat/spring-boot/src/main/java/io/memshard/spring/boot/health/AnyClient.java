// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.health;

import io.memshard.Memshard;
import io.memshard.ZonedMemshard;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;

/** Condition that a client exists, with zones or without. */
final class AnyClient extends AnyNestedCondition {

    AnyClient() {
        super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnBean(Memshard.class)
    static final class PlainClient {}

    @ConditionalOnBean(ZonedMemshard.class)
    static final class ZonedClient {}
}
