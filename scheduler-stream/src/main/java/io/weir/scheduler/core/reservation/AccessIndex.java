package io.weir.scheduler.core.reservation;

import io.weir.scheduler.core.reservation.acl.AccessDecision;
import io.weir.scheduler.core.reservation.acl.AclIndex;
import io.weir.scheduler.core.reservation.acl.AclSubject;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one version of all reservations says to jobs. Only reservations whose lists name a job are asked about it; what the
 * others say is known from the first job of its kind, so that a change of one reservation costs little for each job, however
 * many reservations there are.
 */
final class AccessIndex {
    /** Kinds and answers that are remembered; beyond that all are forgotten. */
    private static final int MOST = 20_000;

    private final List<AdministrativeReservation> reservations;
    private final AclIndex lists;

    /** What strangers are told, by their kind; never iterated. */
    private final Map<Asker, String> strangers = new LinkedHashMap<>();

    /** What jobs are told, by their kind and names; never iterated. */
    private final Map<Known, JobAccess> known = new LinkedHashMap<>();

    /** Never iterated. */
    private final Map<Answer, JobAccess> answers = new LinkedHashMap<>();

    /** Jobs that are told the same. */
    private record Known(Asker asker, AclIndex.Named named) {}

    /**
     * Jobs that are told the same by reservations that do not name them.
     *
     * @param names the reservations that they have to stay inside
     */
    private record Asker(List<String> names, AclIndex.Kind kind) {}

    /**
     * What all reservations say.
     *
     * @param exceptions places and words of those that say something else than to a stranger
     */
    private record Answer(Asker asker, String exceptions) {}

    AccessIndex(Collection<AdministrativeReservation> all) {
        reservations = List.copyOf(all);
        lists = new AclIndex(
                reservations.stream().map(each -> each.terms().acl()).toList());
    }

    /** Returns what every reservation says to a job, which has to stay inside those of {@code names}. */
    JobAccess of(List<String> names, AclSubject subject) {
        Known key = new Known(new Asker(names, lists.kind(subject)), lists.named(subject));
        JobAccess answer = known.get(key);
        if (answer == null) {
            answer = asked(key.asker(), names, subject);
            if (known.size() >= MOST) {
                known.clear();
            }
            known.put(key, answer);
        }
        return answer;
    }

    private JobAccess asked(Asker asker, List<String> names, AclSubject subject) {
        String words = words(asker, subject);
        StringBuilder exceptions = new StringBuilder();
        for (int place : lists.naming(subject)) {
            char word = word(names, subject, place);
            if (word != words.charAt(place)) {
                exceptions.append((char) place).append(word);
            }
        }
        Answer answer = new Answer(asker, exceptions.toString());
        JobAccess access = answers.get(answer);
        if (access == null) {
            access = access(names, words, answer.exceptions());
            if (answers.size() >= MOST) {
                answers.clear();
            }
            answers.put(answer, access);
        }
        return access;
    }

    private String words(Asker asker, AclSubject subject) {
        String told = strangers.get(asker);
        if (told == null) {
            AclSubject stranger = AclIndex.stranger(subject);
            StringBuilder words = new StringBuilder(reservations.size());
            for (int place = 0; place < reservations.size(); place++) {
                words.append(word(asker.names(), stranger, place));
            }
            told = words.toString();
            if (strangers.size() >= MOST) {
                strangers.clear();
            }
            strangers.put(asker, told);
        }
        return told;
    }

    private char word(List<String> names, AclSubject subject, int place) {
        AdministrativeReservation reservation = reservations.get(place);
        AccessDecision decision = ReservationAccess.decide(names, subject, reservation);
        return !decision.allowed()
                ? JobAccess.CLOSED
                : ReservationAccess.confines(names, reservation, decision) ? JobAccess.INSIDE : JobAccess.OPEN_TO_IT;
    }

    private static JobAccess access(List<String> names, String words, String exceptions) {
        StringBuilder all = new StringBuilder(words);
        for (int i = 0; i < exceptions.length(); i += 2) {
            all.setCharAt(exceptions.charAt(i), exceptions.charAt(i + 1));
        }
        String said = all.toString();
        return new JobAccess(!names.isEmpty() || said.indexOf(JobAccess.INSIDE) >= 0, said);
    }
}
