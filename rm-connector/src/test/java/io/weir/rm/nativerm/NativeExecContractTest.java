package io.weir.rm.nativerm;

import io.weir.rm.spi.ResourceManager;
import io.weir.rm.spi.ResourceManagerContractTest;
import io.weir.rm.spi.RmContext;

/** The contract over programs. */
class NativeExecContractTest extends ResourceManagerContractTest {
    @Override
    protected ResourceManager open() {
        ToyRm toy = ToyRm.in(directory);
        return new NativeProvider().open(new RmContext(cluster(), "rm", directory, toy.settings()));
    }

    @Override
    protected String type() {
        return NativeProvider.TYPE;
    }
}
