// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

interface Lender {

    <T> T lend(EngineConnectionFactory.Use<T> use);
}
