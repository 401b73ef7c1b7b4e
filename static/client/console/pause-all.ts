/** The switch that pauses every sale: asks first, then says what is still open. */
import { askFirst } from '../confirm.ts'
import { pauseEverySale } from './api.ts'
import { failureText, type ViewContext } from './view.ts'

export async function pauseAll({ voice, announce }: ViewContext): Promise<void> {
  const pause = { value: 'pause', label: voice.t('console.pauseAll'), kind: 'danger' } as const
  const text = [voice.t('ask.pauseAllText')]
  if ((await askFirst(voice.t('ask.pauseAll'), text, [pause], voice.t('ask.back'))) === undefined) return
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
