/**
 * Loaded anew after each click that was refused because no place was free: says below that message within which time the
 * shopper usually knows. It looks at the pointer once, which the CDN has, and the click rests for longer than that takes.
 */
import { parseSaleId } from '../../core/ids.ts'
import { expectedWaitSeconds, type UnitsSeen } from '../../core/sale/expected-wait.ts'
import { words } from '../messages/text.ts'
import { byId, make } from './lib/dom.ts'
import { loadWords } from './lib/words.ts'
import { lookAtPointer } from './sale/pointer-look.ts'

const status = byId('status')
const { dataset } = byId('main')

async function say(): Promise<void> {
  const saleId = parseSaleId(dataset.saleId)
  const refusal = status.textContent
  const look = saleId && (await lookAtPointer(window.fetch.bind(window), saleId))
  if (look === undefined || status.textContent !== refusal) return
  const { at, remaining, startsAt } = look.pointer
  const seconds = expectedWaitSeconds(earlierLook(startsAt), { at, remaining })
  dataset.unitsSeen = `${at} ${remaining}`
  if (seconds === undefined) return
  const language = document.documentElement.lang
  if (!(await loadWords('sale-later', language)) || status.textContent !== refusal) return
  const [key, n] = seconds < 120 ? ['expected.seconds', seconds] : ['expected.minutes', seconds / 60]
  const text = words(key, language, { n })
  const line = make('p', { class: 'status', id: 'expected', role: 'status' }, text)
  status.after(line)
  const observer = new MutationObserver(() => {
    line.remove()
    observer.disconnect()
  })
  observer.observe(status, { childList: true, characterData: true, subtree: true })
}

/** That after the last refused click; before it, the start of the sale, which the page was printed for. */
function earlierLook(startsAt: number): UnitsSeen {
  const [at = Number.NaN, remaining = Number.NaN] = (dataset.unitsSeen ?? '').split(' ').map(Number)
  if (dataset.unitsSeen !== undefined) return { at, remaining }
  const isPrinted = Number(dataset.startsAt) === startsAt
  return { at: startsAt, remaining: isPrinted ? Number(dataset.stock) : Number.NaN }
}

void say()
