module memshard.io/bench/syncpool

go 1.21
