/**
 * Computes the amount of a red packet again from what the shop published (docs/reference/packets.md). The page of the wallet
 * loads it with the first check.
 */
import { verifyRound } from '../../core/draw/beacon.ts'
import type { SaleId } from '../../core/ids.ts'
import type { Language } from '../../core/language.ts'
import { formatMoney, type Money } from '../../core/money.ts'
import { checkRain, type RainCheck, type RainFault } from '../../core/packets/check-rain.ts'
import type { packetCheckMessages } from '../messages/catalogues.ts'
import { type Arguments, words } from '../messages/text.ts'
import { keepOfDraw, keptOfDraw } from './draw/kept.ts'
import { publicSource, Unreachable } from './draw/public-source.ts'
import { loadWords } from './lib/words.ts'
import type { CheckedPacket } from './wallet/draw.ts'

type Key = keyof typeof packetCheckMessages

const language = (): Language => document.documentElement.lang
const say = (key: Key, args?: Arguments) => words(key, language(), args)
const calm = (key: Key): CheckedPacket => ({ tone: 'calm', text: say(key) })

const reasons: Readonly<Record<RainFault, Key>> = {
  'rain-unreadable': 'check.unreadable',
  'rain-changed': 'check.changed',
  'rain-other-sale': 'check.otherSale',
  'rain-round': 'check.round',
  'reveal-unreadable': 'check.unreadable',
  'seed-wrong': 'check.seed',
  'beacon-missing': 'check.missing',
  'beacon-unreadable': 'check.unreadable',
  'beacon-round': 'check.round',
  'beacon-randomness': 'check.signature',
  'beacon-signature': 'check.signature',
  'packet-unknown': 'check.unknown',
  'amount-wrong': 'check.amount',
}

/** What the check of a packet says, in the language of the page; undefined when the words cannot be loaded now. */
export async function checkPacket(
  sale: SaleId,
  packet: number,
  { amount, currency }: Money,
): Promise<CheckedPacket | undefined> {
  if (!(await loadWords('packet-check', language()))) return undefined
  const { rules } = keptOfDraw(sale)
  const known = { sale, given: { packet, amount, currency }, ...(rules !== undefined && { rules }) }
  try {
    const found = await checkRain(publicSource(sale), { verifyRound, known })
    if (found.hash === undefined && rules === undefined) return calm('check.none')
    if (found.faults.length === 0 && found.hash !== undefined) keepOfDraw(sale, { rules: found.hash })
    return wordsOf(found, packet, { amount, currency })
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    return calm('check.failed')
  }
}

function wordsOf({ faults, state, rules, isMixed, amounts }: RainCheck, packet: number, given: Money): CheckedPacket {
  const money = formatMoney(given, language())
  const [first] = faults
  if (first !== undefined) {
    const due = formatMoney({ ...given, amount: amounts?.[packet] ?? 0 }, language())
    return { tone: 'bad', text: `${say('check.false')} ${say(reasons[first.fault], { due, money })}` }
  }
  if (state === 'announced') return calm('check.announced')
  const text = say(isMixed === true ? 'check.true' : 'check.alone', { money })
  const isLocal = rules?.beacon.isLocal === true
  return { tone: isMixed === true ? 'good' : 'calm', text: isLocal ? `${text} ${say('check.local')}` : text }
}
