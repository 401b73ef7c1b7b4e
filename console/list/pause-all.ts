/** The switch that pauses every sale, and the one that resumes those: each asks first, then says what it did. */
import type { SaleId } from '../../core/ids.ts'
import { readiness } from '../../core/sale/readiness.ts'
import type { Sale } from '../../core/sale/sale.ts'
import type { Choice } from '../../web/confirm.ts'
import { control, listSales } from '../api.ts'
import { callAfter } from '../parts/ask-before.ts'
import type { Translator } from '../parts/kind-words.ts'
import type { ConsoleVoice, ViewContext } from '../view.ts'

export async function pauseAll({ voice, announce }: ViewContext): Promise<void> {
  const choice: Choice = { value: 'pause', label: voice.t('console.pauseAll'), kind: 'danger' }
  const page = await listSales({}, { deadlineMs: 1500 })
  // The switch is for trouble, so it does not wait for the list long, and works without it.
  const known = page.ok ? { sales: page.value.sales, isAll: page.value.next === null } : undefined
  const effects = [
    ...(known === undefined ? [] : pauseAllEffects(voice, known, Date.now())),
    voice.t('ask.pauseAllText'),
  ]
  const done = await callAfter(
    { voice, announce },
    { title: voice.t('ask.pauseAll'), effects, choice },
    control.pauseAll,
  )
  if (done === undefined) return
  const { paused, failed } = done
  announce(
    failed.length === 0
      ? voice.t('console.allPaused', { n: paused.length })
      : voice.t('console.notPaused', { n: failed.length, names: namesOf(voice, failed) }),
  )
}

export async function resumeAll({ voice, announce }: ViewContext): Promise<void> {
  const choice: Choice = { value: 'resume', label: voice.t('do.resume'), kind: 'main' }
  const asked = { title: voice.t('ask.resumeAll'), effects: [voice.t('ask.resumeAllText')], choice }
  const done = await callAfter({ voice, announce }, asked, control.resumeAll)
  if (done === undefined) return
  const { resumed, failed } = done
  announce(
    failed.length === 0
      ? voice.t('console.allResumed', { n: resumed.length })
      : voice.t('console.notResumed', { n: failed.length, names: namesOf(voice, failed) }),
  )
}

const namesOf = (voice: ConsoleVoice, saleIds: readonly SaleId[]) =>
  new Intl.ListFormat(voice.locale(), { type: 'conjunction' }).format(saleIds)

/** The sales that sell now, or would open by themselves; `isAll`: there are no others. */
export function pauseAllEffects(
  voice: Translator,
  { sales, isAll }: { sales: readonly Sale[]; isAll: boolean },
  now: number,
): string[] {
  const states = sales.map((sale) => readiness(sale, now).state)
  const open = states.filter((state) => state === 'open').length
  const scheduled = states.filter((state) => state === 'scheduled').length
  return [voice.t(isAll ? 'effect.pauseAll' : 'effect.pauseAllAtLeast', { open, scheduled })]
}
