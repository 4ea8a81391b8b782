// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The contract over every engine and mode. */
class MemcachedConnectionIT {

    @Nested
    class MemshardSharded extends MemcachedConnectionContract {
        MemshardSharded() {
            super(Engine.MEMSHARD, Mode.SHARDED, false);
        }
    }

    @Nested
    @Tag("deep")
    class MemshardSingle extends MemcachedConnectionContract {
        MemshardSingle() {
            super(Engine.MEMSHARD, Mode.SINGLE, false);
        }
    }

    @Nested
    class MemshardPooled extends MemcachedConnectionContract {
        MemshardPooled() {
            super(Engine.MEMSHARD, Mode.POOLED, false);
        }
    }

    @Nested
    @Tag("deep")
    class SpymemcachedSharded extends MemcachedConnectionContract {
        SpymemcachedSharded() {
            super(Engine.SPYMEMCACHED, Mode.SHARDED, false);
        }
    }

    @Nested
    @Tag("deep")
    class SpymemcachedSingle extends MemcachedConnectionContract {
        SpymemcachedSingle() {
            super(Engine.SPYMEMCACHED, Mode.SINGLE, false);
        }
    }

    @Nested
    class SpymemcachedPooled extends MemcachedConnectionContract {
        SpymemcachedPooled() {
            super(Engine.SPYMEMCACHED, Mode.POOLED, false);
        }
    }

    @Nested
    class SpymemcachedBinary extends MemcachedConnectionContract {
        SpymemcachedBinary() {
            super(Engine.SPYMEMCACHED, Mode.SINGLE, true);
        }
    }
}
