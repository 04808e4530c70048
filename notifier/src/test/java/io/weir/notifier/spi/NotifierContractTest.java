package io.weir.notifier.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.schemas.Severity;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every channel must do. A channel's test extends this and says how to open it, how to read what its receiver has
 * got, and how to take the receiver away.
 */
public abstract class NotifierContractTest {

    private Notifier notifier;

    /** Opens the channel under test; called again for "the next process". */
    protected abstract Notifier open();

    /** Returns the ids that took effect at the receiver, in the order of their arrival. */
    protected abstract List<String> received();

    /** Makes the receiver unable to take anything. */
    protected abstract void takeReceiverAway();

    /** Undoes {@link #takeReceiverAway}. */
    protected abstract void bringReceiverBack();

    /** Returns how the receiver shows {@code id}; a receiver that can hold any character shows it as it is. */
    protected String shown(String id) {
        return id;
    }

    /** Returns {@code ids} without what a channel that recognises repetitions holds back. */
    private List<String> taken(String repeated, String... ids) {
        List<String> taken = new ArrayList<>(List.of(ids));
        if (!notifier.recognisesRepetitions()) {
            taken.add(repeated);
        }
        return taken;
    }

    @BeforeEach
    void openNotifier() {
        notifier = open();
    }

    @AfterEach
    void closeNotifier() {
        notifier.close();
    }

    @Test
    void shouldDeliverInTheOrderOfTheCalls() throws Exception {
        Receipt receipt = notifier.deliver(Deliveries.nodeDown("tiny/7/0"));
        notifier.deliver(Deliveries.nodeDown("tiny/7/1"));
        notifier.deliver(Deliveries.nodeDown("tiny/8/0"));

        assertThat(receipt.message()).isNotBlank().doesNotContain("\n");
        assertThat(received()).containsExactly("tiny/7/0", "tiny/7/1", "tiny/8/0");
    }

    @Test
    void shouldLetARepeatedIdTakeEffectOnceWhereItCan() throws Exception {
        notifier.deliver(Deliveries.nodeDown("tiny/7/0"));
        notifier.deliver(Deliveries.nodeDown("tiny/7/1"));

        notifier.deliver(Deliveries.nodeDown("tiny/7/0"));

        assertThat(received()).containsExactlyElementsOf(taken("tiny/7/0", "tiny/7/0", "tiny/7/1"));
    }

    @Test
    void shouldLetARepetitionByTheNextProcessTakeEffectOnceWhereItCan() throws Exception {
        notifier.deliver(Deliveries.nodeDown("tiny/7/0"));
        notifier.close();

        notifier = open();
        notifier.deliver(Deliveries.nodeDown("tiny/7/0"));
        notifier.deliver(Deliveries.nodeDown("tiny/7/1"));

        assertThat(received()).containsExactlyInAnyOrderElementsOf(taken("tiny/7/0", "tiny/7/0", "tiny/7/1"));
    }

    @Test
    protected void shouldCallAnAbsentReceiverRetriableAndDeliverOnceItIsBack() throws Exception {
        takeReceiverAway();
        assertThatThrownBy(() -> notifier.deliver(Deliveries.nodeDown("tiny/7/0")))
                .isInstanceOf(RetriableDeliveryException.class)
                .message()
                .isNotBlank();

        bringReceiverBack();
        notifier.deliver(Deliveries.nodeDown("tiny/7/0"));

        assertThat(received()).containsExactly("tiny/7/0");
    }

    @Test
    protected void shouldOpenWhileTheReceiverIsAway() throws Exception {
        takeReceiverAway();
        notifier.close();
        notifier = open();

        bringReceiverBack();
        notifier.deliver(Deliveries.nodeDown("tiny/7/0"));

        assertThat(received()).containsExactly("tiny/7/0");
    }

    @Test
    void shouldCarryAnyCharacters() throws Exception {
        String odd = "\"quoted\" \\ \n\r\t \u0000 \u2028 ä 雨 \uD83D\uDE00";

        notifier.deliver(Deliveries.of("tiny/" + odd, "node\ndown", Severity.ERROR, odd, odd));
        notifier.deliver(Deliveries.nodeDown("tiny/7/1"));

        assertThat(received()).containsExactly(shown("tiny/" + odd), "tiny/7/1");
    }

    @Test
    void shouldCarryATextOfAMegabyte() throws Exception {
        notifier.deliver(Deliveries.of("tiny/7/0", "nodedown", Severity.ERROR, "long", "x".repeat(1 << 20)));
        notifier.deliver(Deliveries.nodeDown("tiny/7/1"));

        assertThat(received()).containsExactly("tiny/7/0", "tiny/7/1");
    }

    @Test
    void shouldBearBeingClosedTwice() {
        notifier.close();
        notifier.close();
    }
}
