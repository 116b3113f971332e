/**
 * The limits of the tests, in milliseconds. Each is some forty times what the slowest case takes on two busy cores, so
 * that nothing fails because a machine is slow, and what hangs is still named.
 */

/** For a test or a hook. */
export const hangLimit = 20 * 60_000;

/** For one condition that a test waits for: an element of a page, a file that another process writes. */
export const waitLimit = 2 * 60_000;

/** What tests of silence bear of it: far longer than any simulated platform takes for an answer. */
export const shortSilence = 3_000;

/** How late a slow answer of a simulated platform comes, where silence is borne for `shortSilence`: clearly slow, and in time. */
export const slowAnswer = shortSilence / 10;
