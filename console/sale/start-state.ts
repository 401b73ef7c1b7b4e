/** Chooses the badge of a sale's start, and a warning while there is time to act. */
import type { Phase } from '../../core/sale/phase.ts'
import { type ReadinessState, readiness } from '../../core/sale/readiness.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { type Key, sayFor, type Translator } from '../parts/kind-words.ts'
import { saleMoment } from '../parts/sale-moment.ts'

/** `now` is epoch ms on the shop's clock. */
type Seen = { sale: Sale; phase: Phase; now: number }

export type StartBadge = { text: string; state: ReadinessState }

/** Returns the badge of a sale, instead of the phase that shoppers see. */
export function startBadge(voice: Translator, { sale, phase, now }: Seen): StartBadge {
  const { state, startsAt } = readiness(sale, now)
  const say = sayFor(voice, sale.kind)
  if (sale.archivedAt !== undefined) return { text: voice.t('console.phase.archived'), state }
  if (state === 'overdue') return { text: voice.t('start.overdue'), state }
  if (state === 'needs-start-soon') return { text: voice.t('start.needed'), state }
  if (state === 'needs-start') return { text: voice.t(sale.warmed ? 'start.needed' : 'start.draft'), state }
  if (state === 'scheduled') {
    return { text: voice.t('start.scheduled', { time: startTime(voice, sale, startsAt, now) }), state }
  }
  return { text: say(`console.phase.${phase}`), state }
}

export type StartAdvice = { key: Key; args: { time: string }; loud: boolean }

/** Returns advice about a sale that does not open automatically; `loud` if its start is near or has passed. */
export function startAdvice(
  voice: Pick<Translator, 'moment' | 'locale'>,
  sale: Sale,
  now: number,
): StartAdvice | undefined {
  if (sale.archivedAt !== undefined) return undefined
  const { state, startsAt } = readiness(sale, now)
  const args = { time: startTime(voice, sale, startsAt, now) }
  if (state === 'overdue') return { key: 'start.overdueText', args, loud: true }
  if (state === 'needs-start-soon') return { key: 'start.soonText', args, loud: true }
  return state === 'needs-start' ? { key: 'start.neededText', args, loud: false } : undefined
}

/** `20:49` today, with its day on another one, and in the sale's zone besides where clocks there say another time. */
function startTime(
  voice: Pick<Translator, 'moment' | 'locale'>,
  sale: Pick<Sale, 'timeZone'>,
  ms: number,
  now: number,
): string {
  const isToday = new Date(ms).toDateString() === new Date(now).toDateString()
  const alone = isToday ? new Intl.DateTimeFormat(voice.locale(), { timeStyle: 'short' }).format(ms) : voice.moment(ms)
  return saleMoment(voice, sale, ms, alone)
}
