package io.weir.spine;

import io.weir.standalone.Connection;
import io.weir.standalone.Endpoints;
import io.weir.standalone.access.Account;
import io.weir.standalone.access.Grants;

/** A broker with its registry, under a suite. */
interface SpineBroker {
    /** The way to them as {@code account}. */
    Connection as(Account account);

    /** Allows what is granted, where anything has to be allowed. */
    void grant(Grants grants);

    /** The same broker with another registry, which takes the same logins. */
    default SpineBroker withRegistry(String url) {
        SpineBroker whole = this;
        return new SpineBroker() {
            @Override
            public Connection as(Account account) {
                Connection connection = whole.as(account);
                return new Connection(
                        new Endpoints(connection.endpoints().bootstrapServers(), url), connection.client());
            }

            @Override
            public void grant(Grants grants) {
                whole.grant(grants);
            }
        };
    }
}
