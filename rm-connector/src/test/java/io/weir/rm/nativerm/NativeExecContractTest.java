package io.weir.rm.nativerm;

import io.weir.rm.spi.ResourceManager;
import io.weir.rm.spi.ResourceManagerContractTest;
import io.weir.rm.spi.RmContext;
import java.util.List;
import java.util.Map;

/** The contract over programs. */
class NativeExecContractTest extends ResourceManagerContractTest {
    @Override
    protected ResourceManager open() {
        ToyRm toy = ToyRm.in(directory);
        Map<String, String> settings = toy.settings();
        if (test.contains("SlowOne")) {
            settings.put("timeout.seconds", "3");
        }
        return new NativeProvider().open(new RmContext(cluster(), "rm", directory, settings));
    }

    @Override
    protected void lose() {
        ToyRm.in(directory).write("away", "");
    }

    @Override
    protected void restore() {
        ToyRm.in(directory).remove("away");
    }

    @Override
    protected void slowDown() {
        ToyRm.in(directory).write("slow", "");
    }

    @Override
    protected void speedUp() {
        ToyRm.in(directory).remove("slow");
    }

    @Override
    protected List<String> toldTo(String job) {
        return ToyRm.in(directory).effects().stream().filter(job::equals).toList();
    }

    @Override
    protected String type() {
        return NativeProvider.TYPE;
    }
}
