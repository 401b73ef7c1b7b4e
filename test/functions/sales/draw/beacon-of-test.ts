/** A beacon of its own for the draws of tests. */
import type { DrawBeacon } from '../../../../core/draw/beacon.ts'
import { localBeacon } from '../../../../core/draw/local-beacon.ts'

const late = { kind: 'late', reasons: ['no relay answers'] } as const

/** `clock` is epoch ms; a late beacon has no round yet. */
export function beaconOfTest(clock: () => number, isLate = false): DrawBeacon {
  const local = localBeacon({
    ...{ seed: new Uint8Array(48).fill(7), period: 3, genesis: 1_700_000_000 },
    clock,
  })
  return { chain: local.chain, round: async (round) => (isLate ? late : local.round(round)) }
}
