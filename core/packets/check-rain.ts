/**
 * Checks the split of a rain from its published files, and one packet of it (docs/reference/packets.md, "Checking"). It has
 * no access but `source`, so that it runs in Node, in a page, and over files in memory.
 */
import { checkRound, roundFile } from '../draw/beacon-file.ts'
import { bytesOfHex, hexOf } from '../draw/bytes.ts'
import type { VerifyRound } from '../draw/chain.ts'
import { sha256 } from '../draw/sha256.ts'
import type { SaleId } from '../ids.ts'
import { rainFile, revealFile } from './packets.ts'
import { type RainReveal, type RainRules, readRainReveal, readRainRules, roundOfSplit } from './rain-rules.ts'
import { drawFromKey, keyOfSplit, splitWaves } from './rain-split.ts'

/** The names of all faults, in the order in which they are looked for. */
export const rainFaults = [
  ...['rain-unreadable', 'rain-changed', 'rain-other-sale', 'rain-round', 'reveal-unreadable', 'seed-wrong'],
  ...['beacon-missing', 'beacon-unreadable', 'beacon-round', 'beacon-randomness', 'beacon-signature'],
  ...['packet-unknown', 'amount-wrong'],
] as const
type RainFault = (typeof rainFaults)[number]

/** A packet that a shopper was given: its number in the sale, from 0, and `amount` in minor units of `currency`. */
type GivenPacket = { packet: number; amount: number; currency: string }

/** The knowledge of the reader beside the files: the sale, the hash of its rules as it was seen earlier, and a packet. */
export type RainKnown = { sale?: SaleId; rules?: string; given?: GivenPacket }

/**
 * `announced`: the seed is not published yet. `revealed`: `amounts` are those of all packets in minor units, by their numbers;
 * `isMixed` says whether they follow from the round as well. Both are missing where a fault stopped the check before.
 * `hash` is that of the rules.
 */
export type RainCheck = {
  faults: { fault: RainFault; detail: string }[]
  state?: 'announced' | 'revealed'
  rules?: RainRules
  hash?: string
  isMixed?: boolean
  isBeaconVerified?: boolean
  amounts?: Float64Array
}

type Source = (path: string) => Promise<Uint8Array | undefined>
type Options = { verifyRound?: VerifyRound; known?: RainKnown }

/**
 * Checks the rain at `source`. Without `verifyRound` the signature of the beacon is not checked, and `isBeaconVerified` is
 * missing. @throws what `source` throws
 */
export async function checkRain(source: Source, { verifyRound, known = {} }: Options): Promise<RainCheck> {
  const found: RainCheck = { faults: [] }
  const fault = (name: RainFault, detail: string) => {
    if (!found.faults.some((one) => one.fault === name)) found.faults.push({ fault: name, detail })
  }
  const rules = readRules(await source(rainFile), known, found, fault)
  if (rules === undefined) return found
  const file = await source(revealFile)
  found.state = 'announced'
  if (file === undefined) return found
  const reveal = readRainReveal(file)
  if (!reveal.ok) {
    fault('reveal-unreadable', `${revealFile}: ${reveal.detail}`)
    return found
  }
  const key = await keyOf({ source, verifyRound, rules, found, fault }, reveal.value)
  if (key === undefined) return found
  found.state = 'revealed'
  found.amounts = splitWaves(rules.waves, (wave) => drawFromKey(key, wave))
  if (known.given !== undefined) checkGiven(known.given, rules, found.amounts, fault)
  return found
}

type Report = (name: RainFault, detail: string) => void

function readRules(
  file: Uint8Array | undefined,
  known: RainKnown,
  found: RainCheck,
  fault: Report,
): RainRules | undefined {
  if (file === undefined) {
    fault('rain-unreadable', `${rainFile} is missing`)
    return undefined
  }
  const read = readRainRules(file)
  if (!read.ok) {
    fault('rain-unreadable', `${rainFile}: ${read.detail}`)
    return undefined
  }
  const rules = read.value
  const hash = hexOf(sha256(file))
  if (known.rules !== undefined && known.rules !== hash)
    fault('rain-changed', `${rainFile} has the hash ${hash}, ${known.rules} was expected`)
  if (known.sale !== undefined && known.sale !== rules.sale) fault('rain-other-sale', `${rainFile} is of ${rules.sale}`)
  const round = roundOfSplit(rules)
  if (rules.round !== round) fault('rain-round', `the round is ${rules.round}, ${round} follows from the rules`)
  Object.assign(found, { rules, hash })
  return rules
}

async function keyOf(
  {
    source,
    verifyRound,
    rules,
    found,
    fault,
  }: {
    source: Source
    verifyRound: VerifyRound | undefined
    rules: RainRules
    found: RainCheck
    fault: Report
  },
  reveal: RainReveal,
): Promise<Uint8Array | undefined> {
  const seed = bytesOfHex(reveal.seed)
  if (hexOf(sha256(seed)) !== rules.seedHash)
    fault('seed-wrong', `the hash of the seed is not ${rules.seedHash}, which the rules announce`)
  found.isMixed = reveal.round !== null
  if (reveal.round === null) return keyOfSplit(seed)
  if (reveal.round !== rules.round)
    fault('beacon-round', `the round is ${reveal.round}, that of the rules ${rules.round}`)
  const file = await source(roundFile)
  if (file === undefined) {
    fault('beacon-missing', `${roundFile} is missing`)
    return undefined
  }
  const checked = checkRound(file, rules, { fault, verifyRound })
  if (checked?.isVerified !== undefined) found.isBeaconVerified = checked.isVerified
  return checked && keyOfSplit(seed, checked.randomness)
}

function checkGiven(
  { packet, amount, currency }: GivenPacket,
  rules: RainRules,
  amounts: Float64Array,
  fault: Report,
): void {
  const due = amounts[packet]
  if (due === undefined) fault('packet-unknown', `the rain has ${amounts.length} packets, and no ${packet}`)
  else if (due !== amount || currency !== rules.currency)
    fault('amount-wrong', `packet ${packet} has ${due} ${rules.currency}, ${amount} ${currency} was given`)
}
