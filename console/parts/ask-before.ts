/** Asks for confirmation before an action, with its effects. */
import { askFirst, type Choice } from '../../web/confirm.ts'
import type { Answer } from '../api.ts'
import { type ConsoleVoice, failureText } from '../view.ts'

export type Asked = { title: string; effects: readonly string[]; choice: Choice }

/** Resolves with true when the reader confirmed; the focus then returns to the button. */
export async function askBefore(voice: Pick<ConsoleVoice, 't'>, { title, effects, choice }: Asked): Promise<boolean> {
  return (await askFirst(title, effects, [choice], voice.t('ask.back'))) !== undefined
}

/** Without `isLeft` the outcome is announced in any view, because it concerns money or all sales. */
type Place = { voice: ConsoleVoice; announce(text: string): void; isLeft?(): boolean }

/** Returns the value of a call; announces a failure and returns undefined. Undefined also once the view was left. */
export async function announcedCall<T>(
  { voice, announce, isLeft }: Place,
  call: Promise<Answer<T>>,
): Promise<T | undefined> {
  announce(voice.t('do.working'))
  const answer = await call
  if (isLeft?.()) return undefined
  if (!answer.ok) announce(failureText(voice, answer.reply))
  return answer.ok ? answer.value : undefined
}

/** Makes a call after a confirmation; undefined if it failed or the reader stepped back. */
export async function callAfter<T>(place: Place, asked: Asked, call: () => Promise<Answer<T>>): Promise<T | undefined> {
  return (await askBefore(place.voice, asked)) ? announcedCall(place, call()) : undefined
}
