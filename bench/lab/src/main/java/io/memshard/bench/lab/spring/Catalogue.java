// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.spring;

import io.memshard.bench.serializer.SampleOrder;

/** What an application asks for; Spring puts the cache in front. Threading: thread-safe. */
interface Catalogue {

    /** The order of that number. */
    SampleOrder order(long id);
}
