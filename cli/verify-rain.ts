/** What `npm run verify-draw` says of red packets: the check of their split, as lines. */
import { hexOf } from '../core/draw/bytes.ts'
import { sha256 } from '../core/draw/sha256.ts'
import { majorText } from '../core/money.ts'
import type { RainCheck } from '../core/packets/check-rain.ts'

/** `packet` is the number of the packet whose amount is printed; with `showsAmounts` those of all are. */
export type RainLines = { packet: number | undefined; showsAmounts: boolean }

export function* linesAboutRain(found: RainCheck, { packet, showsAmounts }: RainLines): Generator<string> {
  const { faults, state, rules, hash, amounts, isMixed, isBeaconVerified } = found
  if (rules !== undefined) {
    const { sale, waves, currency, round, beacon } = rules
    const count = waves.reduce((sum, wave) => sum + wave.count, 0)
    const total = waves.reduce((sum, wave) => sum + wave.totalAmount, 0)
    yield `sale        ${sale}`
    yield `rules       ${hash}`
    yield `packets     ${count} with ${majorText(total, currency)} ${currency}`
    yield `round       ${round}`
    if (beacon.isLocal) yield 'beacon      run by the shop itself, so it proves nothing'
    if (amounts !== undefined) yield `amounts     ${hashOfAmounts(amounts)}`
    for (const number of showsAmounts ? (amounts ?? []).keys() : packet === undefined ? [] : [packet]) {
      const amount = amounts?.[number]
      if (amount !== undefined) yield `packet      ${number} ${majorText(amount, currency)}`
    }
  }
  if (isMixed && isBeaconVerified === undefined)
    yield '! The signature of the beacon was NOT CHECKED: this program has no verifier of it.'
  if (isMixed === false)
    yield '! The packets were split WITHOUT the round: the shop knew all amounts when it chose the seed.'
  for (const { fault, detail } of faults) yield `✗ ${fault}: ${detail}`
  if (faults.length > 0) return
  if (state === 'announced') yield 'No fault so far. The seed is not published yet.'
  if (state === 'revealed') yield '✓ The packets are split as published.'
}

/** The hash of all amounts, each as eight bytes, so that two programs can compare what they computed. */
function hashOfAmounts(amounts: Float64Array): string {
  const bytes = new DataView(new ArrayBuffer(8 * amounts.length))
  for (const [packet, amount] of amounts.entries()) bytes.setBigUint64(8 * packet, BigInt(amount))
  return hexOf(sha256(new Uint8Array(bytes.buffer)))
}
