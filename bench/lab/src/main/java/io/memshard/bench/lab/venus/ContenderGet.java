// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.venus;

import io.memshard.bench.contender.Contender;
import io.memshard.bench.lab.experiment.OpenedArm;

/** Get a value through a contender. */
final class ContenderGet implements OpenedArm {

    private final Contender contender;
    private final Keys keys;

    ContenderGet(Contender contender, Keys keys) {
        this.contender = contender;
        this.keys = keys;
    }

    @Override
    public Cycle cycle(int caller) {
        return keys.checking(caller, contender::get);
    }

    @Override
    public void close() {
        contender.close();
    }
}
