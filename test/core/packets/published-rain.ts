/** A rain as a shop publishes it, with a beacon of its own, and how files of it are changed. */

import { roundBytes } from '../../../core/draw/beacon-file.ts'
import { hexOf } from '../../../core/draw/bytes.ts'
import { localBeacon } from '../../../core/draw/local-beacon.ts'
import { sha256 } from '../../../core/draw/sha256.ts'
import { type RainReveal, type RainRules, roundOfSplit } from '../../../core/packets/rain-rules.ts'
import { saleIdOf } from '../../redis/support.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const splitAt = Date.UTC(2026, 10, 20, 12)

const rainBeacon = localBeacon({
  ...{ seed: new Uint8Array(48).fill(7), period: 3, genesis: 1_700_000_000 },
  clock: () => splitAt,
})

export const rainSeed = sha256(bytesOf('seed'))

/** The rules of a rain in two waves; its beacon is that of one machine. */
export const rainRules: RainRules = {
  ...{ version: 1, sale: saleIdOf('rain'), currency: 'CNY' },
  waves: [
    { count: 10, totalAmount: 1000 },
    { count: 3, totalAmount: 30 },
  ],
  ...{
    seedHash: hexOf(sha256(rainSeed)),
    splitAt,
    round: roundOfSplit({ beacon: rainBeacon.chain, splitAt }),
  },
  ...{ beacon: rainBeacon.chain, lateBeacon: 'seed-alone' },
}

const json = (value: object) => bytesOf(`${JSON.stringify(value)}\n`)

/** Its files by their paths, after the sale. */
export async function publishedRain(rules: Partial<RainRules> = {}, reveal: Partial<RainReveal> = {}) {
  const round = await rainBeacon.round(rainRules.round)
  if (round.kind !== 'published') throw new Error(`round ${rainRules.round} is late`)
  return new Map([
    ['rain.json', json({ ...rainRules, ...rules })],
    ['beacon.json', roundBytes(round)],
    ['reveal.json', json({ seed: hexOf(rainSeed), round: rainRules.round, ...reveal })],
  ])
}

/** The files as a check reads them. */
export const rainSource = (files: ReadonlyMap<string, Uint8Array>) => async (path: string) => files.get(path)
