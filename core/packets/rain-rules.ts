/** What is published of a split that shoppers can check, before the sale and after it (docs/reference/packets.md). */
import * as z from 'zod/mini'
import { maxWindows } from '../body-limits.ts'
import { type BeaconChain, roundAt, timeOfRound } from '../draw/chain.ts'
import { anyWhole, beaconChain, currencyText, hashText, saleIdText } from '../draw/rules.ts'
import { type Parsed, readJson, whole } from '../lib/parse.ts'
import { maxPacketAmount, maxPackets, splitLeadMs } from './packets.ts'

const maxFileBytes = 65_536

/** How long before its start a sale must be warmed for its split to be announced, ms. Shoppers have so long to keep the hash. */
const noticeMs = 2 * 3_600_000
/** How long it is awaited, and how long before the start the packets are split without it at the latest, ms. */
const patienceMs = 300_000
/** The rules must be public for so many periods of the beacon before the round. */
const periodsBefore = 10

type Starting = { epoch: number; windowIndex: number; startsAt: number }

/** When the round comes of a sale that is warmed at `now`, epoch ms; undefined if it starts too soon to announce its split. */
export function splitTimeOf({ epoch, windowIndex, startsAt }: Starting, now: number): number | undefined {
  const isEarly = epoch === 0 && windowIndex === 0 && startsAt - now >= noticeMs
  return isEarly ? startsAt - splitLeadMs : undefined
}

/** Until when (epoch ms) the round is awaited of a sale that starts at `startsAt`, which may have been moved. */
export function awaitedUntil(splitAt: number, startsAt: number): number {
  return Math.min(splitAt + patienceMs, startsAt - patienceMs)
}

/** `count` packets with `totalAmount` minor units together. */
const wave = /* @__PURE__ */ z
  .strictObject({ count: whole(0, maxPackets), totalAmount: whole(0, maxPacketAmount) })
  .check(z.refine(({ count, totalAmount }) => count <= totalAmount, 'must have a minor unit for each packet'))

const rules = /* @__PURE__ */ z.strictObject({
  version: z.literal(1),
  sale: saleIdText,
  currency: currencyText,
  waves: z.array(wave).check(
    z.minLength(1),
    z.maxLength(maxWindows),
    z.refine(
      (waves) => waves.reduce((sum, { count }) => sum + count, 0) <= maxPackets,
      `must have at most ${maxPackets} packets in total`,
    ),
  ),
  seedHash: hashText,
  splitAt: anyWhole,
  round: anyWhole,
  beacon: beaconChain,
  lateBeacon: z.literal('seed-alone'),
})

export type RainRules = z.output<typeof rules>

/** `round` is null where the packets were split without it. */
const reveal = /* @__PURE__ */ z.strictObject({ seed: hashText, round: z.nullable(anyWhole) })

export type RainReveal = z.output<typeof reveal>

/** The rules in the bytes of `rain.json`. A fault names the field. */
export function readRainRules(bytes: Uint8Array): Parsed<RainRules> {
  return readSmall(rules, bytes)
}

/** The seed in the bytes of `reveal.json`. A fault names the field. */
export function readRainReveal(bytes: Uint8Array): Parsed<RainReveal> {
  return readSmall(reveal, bytes)
}

function readSmall<T>(schema: z.ZodMiniType<T>, bytes: Uint8Array): Parsed<T> {
  if (bytes.length <= maxFileBytes) return readJson(schema, bytes)
  return { ok: false, field: 'body', detail: `body must be at most ${maxFileBytes} bytes` }
}

/** The round of a split: the last one that is public at `splitAt`, epoch ms. */
export function roundOfSplit({ beacon, splitAt }: { beacon: BeaconChain; splitAt: number }): number {
  return roundAt(beacon, splitAt)
}

/** The latest time (epoch ms) at which the rules may be published. */
export function lastRulesAt({ beacon, round }: Pick<RainRules, 'beacon' | 'round'>): number {
  return timeOfRound(beacon, round - periodsBefore)
}
