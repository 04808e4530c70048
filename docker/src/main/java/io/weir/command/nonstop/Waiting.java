package io.weir.command.nonstop;

/** Time, as far as the command waits. */
interface Waiting {
    /** This machine's. */
    Waiting REAL = new Waiting() {
        @Override
        public long seconds() {
            return System.nanoTime() / 1_000_000_000L;
        }

        @Override
        public void sleep(long seconds) throws InterruptedException {
            Thread.sleep(seconds * 1_000);
        }
    };

    /** Returns seconds since some instant; never fewer than before. */
    long seconds();

    /** Waits. */
    void sleep(long seconds) throws InterruptedException;
}
