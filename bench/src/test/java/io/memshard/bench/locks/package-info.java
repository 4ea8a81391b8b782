@NullMarked
package io.memshard.bench.locks;

import org.jspecify.annotations.NullMarked;
