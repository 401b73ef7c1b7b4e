/**
 * Loaded anew after each click that was refused because no place was free: says below that message within which time the
 * shopper usually knows, and how many of those who wait get one. It reads the pointer and the chance once, which the CDN has,
 * and the click rests for longer than that takes.
 */
import { parseSaleId } from '../../core/ids.ts'
import type { Language } from '../../core/language.ts'
import { type Chance, chanceLifeMs, chancePath } from '../../core/sale/chance.ts'
import { expectedWaitSeconds, type UnitsSeen } from '../../core/sale/expected-wait.ts'
import { words } from '../messages/text.ts'
import { byId, make } from './lib/dom.ts'
import { call } from './lib/http.ts'
import { readChance } from './lib/wire.ts'
import { loadWords } from './lib/words.ts'
import { lookAtPointer } from './sale/pointer-look.ts'

const status = byId('status')
const { dataset } = byId('main')

async function say(): Promise<void> {
  const saleId = parseSaleId(dataset.saleId)
  if (saleId === undefined) return
  const refusal = status.textContent
  const fetch = window.fetch.bind(window)
  const [look, read] = await Promise.all([
    lookAtPointer(fetch, saleId),
    call(fetch, `/${chancePath(saleId)}`, { deadlineMs: 5000 }),
  ])
  if (look === undefined || status.textContent !== refusal) return
  const { at, remaining, startsAt } = look.pointer
  const seconds = expectedWaitSeconds(earlierLook(startsAt), { at, remaining })
  dataset.unitsSeen = `${at} ${remaining}`
  const chance = read.kind === 'ok' ? readChance(read.body) : undefined
  const isFresh = chance !== undefined && (look.clock?.serverNow ?? Number.NaN) - chance.at <= chanceLifeMs
  const language = document.documentElement.lang
  if (!(await loadWords('sale-later', language)) || status.textContent !== refusal) return
  const parts = [...timeText(seconds, language), ...(isFresh ? chanceText(chance, language) : [])]
  // Sentences of Chinese and Japanese stand without a space between them.
  const text = parts.join(/^(?:zh|ja)/.test(language) ? '' : ' ')
  if (text === '') return
  const line = make('p', { class: 'status', id: 'expected', role: 'status' }, text)
  status.after(line)
  const observer = new MutationObserver(() => {
    line.remove()
    observer.disconnect()
  })
  observer.observe(status, { childList: true, characterData: true, subtree: true })
}

function timeText(seconds: number | undefined, language: Language): string[] {
  if (seconds === undefined) return []
  const [key, n] =
    seconds < 120 ? (['expected.seconds', seconds] as const) : (['expected.minutes', seconds / 60] as const)
  return [words(key, language, { n })]
}

function chanceText({ tenths }: Chance, language: Language): string[] {
  if (tenths === undefined) return []
  const [low, high] = tenths
  const ofFew = high === 1 ? 'expected.few' : 'expected.atMost'
  const key = low === 0 ? ofFew : low === 9 ? 'expected.most' : 'expected.chance'
  return [words(key, language, { low, high })]
}

/** That after the last refused click; before it, the start of the sale, which the page was printed for. */
function earlierLook(startsAt: number): UnitsSeen {
  const [at = Number.NaN, remaining = Number.NaN] = (dataset.unitsSeen ?? '').split(' ').map(Number)
  if (dataset.unitsSeen !== undefined) return { at, remaining }
  const isPrinted = Number(dataset.startsAt) === startsAt
  return { at: startsAt, remaining: isPrinted ? Number(dataset.stock) : Number.NaN }
}

void say()
