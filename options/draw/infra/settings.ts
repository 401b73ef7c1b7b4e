/** What a stage gives to draws. */

/** Fifty entries in a second take 0.05 s each; its schedule takes one, and ranks in memory, 300 MB for a million. */
export const capacities = { draws: { memoryMb: 1769, reserved: 4 } } as const
