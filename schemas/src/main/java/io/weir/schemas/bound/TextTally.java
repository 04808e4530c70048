package io.weir.schemas.bound;

/** Adds up the characters of a record. One check uses one. */
final class TextTally {
    private long characters;

    void add(int more) {
        characters += more;
    }

    long characters() {
        return characters;
    }
}
