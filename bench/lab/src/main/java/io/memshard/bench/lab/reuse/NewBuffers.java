// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.reuse;

/** Makes a new buffer each time and leaves the old one to the garbage collector. */
final class NewBuffers implements Buffers {

    private final int size;

    NewBuffers(int size) {
        this.size = size;
    }

    @Override
    public Buffer get() {
        return new Buffer(size);
    }

    @Override
    public void put(Buffer buffer) {
        // The collector finds it.
    }
}
