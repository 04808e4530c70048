package io.weir.command.node;

import io.weir.command.terminal.BadInputException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names with numbers in brackets, as Slurm writes them: {@code n[1-3,7]}, {@code rack[1-2]n[01-16]}. Leading zeros make no
 * difference.
 *
 * @param form the names; a group for each pair of brackets
 * @param numbers what stands in each
 */
record NumberedNames(Pattern form, List<String> numbers) implements Predicate<String> {
    private static final int MOST_DIGITS = 9;
    private static final String WORD = "[A-Za-z0-9._-]*";
    private static final Pattern FORM = Pattern.compile(WORD + "(?:\\[[0-9,-]+\\]" + WORD + ")+");
    private static final Pattern BRACKETS = Pattern.compile("\\[([^\\]]+)\\]");
    private static final Pattern LIST = Pattern.compile("\\d{1,9}(?:-\\d{1,9})?(?:,\\d{1,9}(?:-\\d{1,9})?)*");

    /** Says whether {@code text} is a name with brackets that hold numbers. */
    static boolean isForm(String text) {
        return FORM.matcher(text).matches();
    }

    /**
     * Reads such names. One number alone in brackets is refused, which an expression would take for one of its digits.
     *
     * @throws BadInputException saying what to write
     */
    static NumberedNames of(String text) {
        StringBuilder form = new StringBuilder();
        List<String> numbers = new ArrayList<>();
        Matcher brackets = BRACKETS.matcher(text);
        int end = 0;
        while (brackets.find()) {
            String list = brackets.group(1);
            if (!LIST.matcher(list).matches()) {
                throw new BadInputException(
                        "'" + text + "': [" + list + "] is no list of numbers; write them as in [1-3,7]");
            }
            if (list.length() > 1 && list.chars().allMatch(Character::isDigit)) {
                throw new BadInputException("'" + text + "': [" + list + "] may mean " + list
                        + " or one of its digits; write the names, separated by commas");
            }
            form.append(Pattern.quote(text.substring(end, brackets.start()))).append("(\\d+)");
            numbers.add(list);
            end = brackets.end();
        }
        return new NumberedNames(Pattern.compile(form + Pattern.quote(text.substring(end))), List.copyOf(numbers));
    }

    @Override
    public boolean test(String name) {
        Matcher found = form.matcher(name);
        if (!found.matches()) {
            return false;
        }
        for (int i = 0; i < numbers.size(); i++) {
            if (!contains(numbers.get(i), found.group(i + 1))) {
                return false;
            }
        }
        return true;
    }

    private static boolean contains(String list, String digits) {
        String number = digits.replaceFirst("^0+(?=.)", "");
        if (number.length() > MOST_DIGITS) {
            return false;
        }
        int wanted = Integer.parseInt(number);
        for (String part : list.split(",", -1)) {
            String[] ends = part.split("-", -1);
            if (wanted >= Integer.parseInt(ends[0]) && wanted <= Integer.parseInt(ends[ends.length - 1])) {
                return true;
            }
        }
        return false;
    }
}
