package io.weir.standalone;

import io.weir.standalone.access.Account;
import io.weir.standalone.access.Credential;
import io.weir.standalone.access.Credentials;
import io.weir.standalone.registry.RegistryUsers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;

/** The accounts of a data directory as users of its registry: services register schemas, everyone else reads them. */
record RegistryAccounts(Credentials credentials) implements RegistryUsers {
    private static final List<Account> READERS = List.of(Account.READER, Account.MONITORING);

    @Override
    public Optional<Right> rightOf(String user, String password) {
        return credentials
                .find(user)
                .filter(known -> isSame(known.registryPassword(), password))
                .map(RegistryAccounts::right);
    }

    private static Right right(Credential known) {
        Account account = new Account(known.user());
        if (account.equals(Account.ADMIN)) {
            return Right.ADMINISTER;
        }
        return READERS.contains(account) ? Right.READ : Right.REGISTER;
    }

    /** Takes as long for a wrong password as for the right one. */
    private static boolean isSame(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }
}
