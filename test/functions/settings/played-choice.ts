/** What an option adds to a definition with the start `startsAt` (epoch ms), and what excludes it, with the wrong field. */
export type PlayedChoice = {
  definition(startsAt: number): object
  conflicts: readonly { of: Readonly<Record<string, string>>; field: string }[]
}
