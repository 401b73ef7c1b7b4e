/** A beacon of its own for the draws of tests. */
import { type DrawBeacon, localBeacon } from '../../core/beacon.ts'
import { timeOfRound } from '../../core/rules.ts'

const late = { kind: 'late', reasons: ['no relay answers'] } as const

const local = localBeacon({
  seed: new Uint8Array(48).fill(7),
  period: 3,
  genesis: 1_700_000_000,
  clock: () => Number.POSITIVE_INFINITY,
})

/** Each round is signed and verified once in a process: a pairing takes longer than a whole play. */
const rounds = new Map<number, ReturnType<typeof local.round>>()

/** `clock` is epoch ms; a late beacon has no round yet. */
export function beaconOfTest(clock: () => number, isLate = false): DrawBeacon {
  const { chain } = local
  return {
    chain,
    async round(round) {
      if (isLate || clock() < timeOfRound(chain, round)) return late
      const known = rounds.get(round) ?? local.round(round)
      rounds.set(round, known)
      return known
    },
  }
}
