/** Asks for confirmation before an action, with its effects. */
import { askFirst, type Choice } from '../../web/confirm.ts'
import type { Answer } from '../api.ts'
import { type ConsoleVoice, failureText } from '../view.ts'

export type Asked = { title: string; effects: readonly string[]; choice: Choice }

/** True when the choice was made; Escape and “Cancel” step back, and the focus is on the button again. */
export async function askBefore(voice: Pick<ConsoleVoice, 't'>, { title, effects, choice }: Asked): Promise<boolean> {
  return (await askFirst(title, effects, [choice], voice.t('ask.back'))) !== undefined
}

/** Without `isLeft` the outcome is announced in any view: it is about money, or about every sale. */
type Place = { voice: ConsoleVoice; announce(text: string): void; isLeft?(): boolean }

/** The value of a call; undefined after its failure was announced, and once the view was left. */
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
