@NullMarked
package io.memshard.bench.report;

import org.jspecify.annotations.NullMarked;
