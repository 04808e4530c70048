package io.weir.service.http;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;

/** Tells whether a private and a public key are a pair. */
final class KeyPairs {
    private static final byte[] SAMPLE = {1, 2, 3, 4};

    private KeyPairs() {}

    static boolean belong(PrivateKey secret, PublicKey open) {
        if (!family(secret.getAlgorithm()).equals(family(open.getAlgorithm()))) {
            return false;
        }
        try {
            Signature signature = Signature.getInstance(algorithm(secret));
            signature.initSign(secret);
            signature.update(SAMPLE);
            byte[] signed = signature.sign();
            signature.initVerify(open);
            signature.update(SAMPLE);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static String algorithm(PrivateKey key) {
        return switch (family(key.getAlgorithm())) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> "EdDSA";
        };
    }

    private static String family(String algorithm) {
        return algorithm.startsWith("Ed") ? "EdDSA" : algorithm;
    }
}
