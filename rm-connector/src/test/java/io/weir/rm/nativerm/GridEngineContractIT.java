package io.weir.rm.nativerm;

import io.weir.rm.spi.ResourceManager;
import io.weir.rm.spi.ResourceManagerContractTest;
import io.weir.schemas.CommandKind;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract over the Grid Engine scripts, with a real Grid Engine of two hosts. */
class GridEngineContractIT extends ResourceManagerContractTest {
    private static GridEngineCell cell;

    private boolean prepared;

    @BeforeAll
    static void startCell() {
        cell = GridEngineCell.start();
    }

    @AfterAll
    static void stopCell() {
        if (cell != null) {
            cell.close();
        }
    }

    @Override
    protected ResourceManager open() {
        if (!prepared) {
            cell.prepare();
            prepared = true;
        }
        return cell.connect(directory, test.contains("SlowOne") ? Map.of("timeout.seconds", "5") : Map.of());
    }

    @Override
    protected void lose() {
        cell.cell("stop");
    }

    @Override
    protected void restore() {
        cell.cell("start");
    }

    @Override
    protected void slowDown() {
        cell.cell("pause");
    }

    @Override
    protected void speedUp() {
        cell.cell("resume");
    }

    @Override
    protected Duration patience() {
        return Duration.ofSeconds(60);
    }

    @Override
    protected String type() {
        return NativeProvider.TYPE;
    }

    /** Grid Engine has no features of that kind, and no way to give a running job another node. */
    @Override
    protected Set<CommandKind> refused() {
        return Set.of(CommandKind.MODIFY_NODE, CommandKind.ADD_NODES, CommandKind.REMOVE_NODES, CommandKind.SIGNAL_JOB);
    }
}
