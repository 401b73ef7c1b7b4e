/** A sale that draws, among the settings that meet each other. */
import type { PlayedChoice } from '../../../../../test/functions/settings/played-choice.ts'

const hourMs = 3_600_000

const drawn: PlayedChoice = {
  /** Entries for half an hour; offers are kept until the end of the sale. */
  definition(startsAt) {
    const closesAt = startsAt - hourMs / 4
    return { draw: { opensAt: closesAt - hourMs / 2, closesAt, claimSeconds: 7200 } }
  },
  conflicts: [
    { of: { kind: 'red-packet' }, field: 'draw' },
    { of: { stock: 'unlimited' }, field: 'stock' },
    { of: { limit: 'several' }, field: 'limitPerShopper' },
    { of: { windows: 'two' }, field: 'windows' },
    { of: { early: 'level' }, field: 'earlyAccess' },
  ],
}

export const playedChoices = { drawn } as const
