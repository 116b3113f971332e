/**
 * The one limit of the tests: whatever takes longer hangs. It is some forty times what the slowest test takes on two
 * busy cores, so that no test fails because a machine is slow, and a test that hangs is still named.
 */
export const hangLimit = 20 * 60_000;

/** What tests of silence bear of it, in milliseconds: far longer than any simulated platform takes for an answer. */
export const shortSilence = 3_000;
