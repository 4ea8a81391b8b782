// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The operations of a template over every engine and mode. */
class MemcachedOperationsIT {

    @Nested
    class MemshardSharded extends MemcachedOperationsContract {
        MemshardSharded() {
            super(Engine.MEMSHARD, Mode.SHARDED, false);
        }
    }

    @Nested
    @Tag("deep")
    class MemshardSingle extends MemcachedOperationsContract {
        MemshardSingle() {
            super(Engine.MEMSHARD, Mode.SINGLE, false);
        }
    }

    @Nested
    class MemshardPooled extends MemcachedOperationsContract {
        MemshardPooled() {
            super(Engine.MEMSHARD, Mode.POOLED, false);
        }
    }

    @Nested
    @Tag("deep")
    class SpymemcachedSharded extends MemcachedOperationsContract {
        SpymemcachedSharded() {
            super(Engine.SPYMEMCACHED, Mode.SHARDED, false);
        }
    }

    @Nested
    @Tag("deep")
    class SpymemcachedSingle extends MemcachedOperationsContract {
        SpymemcachedSingle() {
            super(Engine.SPYMEMCACHED, Mode.SINGLE, false);
        }
    }

    @Nested
    class SpymemcachedPooled extends MemcachedOperationsContract {
        SpymemcachedPooled() {
            super(Engine.SPYMEMCACHED, Mode.POOLED, false);
        }
    }

    @Nested
    class SpymemcachedBinary extends MemcachedOperationsContract {
        SpymemcachedBinary() {
            super(Engine.SPYMEMCACHED, Mode.SINGLE, true);
        }
    }
}
