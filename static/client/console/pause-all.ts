/** The switch that pauses every sale: asks first, then says what is still open. */
import type { Choice } from '../confirm.ts'
import { agreed } from './agreed.ts'
import { listSales, pauseEverySale } from './api.ts'
import { pauseAllEffects } from './effects.ts'
import { failureText, type ViewContext } from './view.ts'

export async function pauseAll({ voice, announce }: ViewContext): Promise<void> {
  const choice: Choice = { value: 'pause', label: voice.t('console.pauseAll'), kind: 'danger' }
  const page = await listSales({}, { deadlineMs: 1500 })
  // The switch is for trouble, so it does not wait for the list long, and works without it.
  const known = page.ok ? { sales: page.value.sales, isAll: page.value.next === null } : undefined
  const effects = [
    ...(known === undefined ? [] : pauseAllEffects(voice, known, Date.now())),
    voice.t('ask.pauseAllText'),
  ]
  if (!(await agreed(voice, { title: voice.t('ask.pauseAll'), effects, choice }))) return
  announce(voice.t('do.working'))
  const answer = await pauseEverySale()
  if (!answer.ok) return announce(failureText(voice, answer.reply))
  const { paused, failed } = answer.value
  const names = new Intl.ListFormat(voice.locale(), { type: 'conjunction' }).format(failed)
  announce(
    failed.length === 0
      ? voice.t('console.allPaused', { n: paused.length })
      : voice.t('console.notPaused', { n: failed.length, names }),
  )
}
