/** The question before an action: says its effects, and acts only where the reader agrees. */
import { askFirst, type Choice } from '../../lib/confirm.ts'
import type { ConsoleVoice } from '../view.ts'

type Asked = { title: string; effects: readonly string[]; choice: Choice }

/** True when the choice was made; Escape and “Cancel” step back, and the focus is on the button again. */
export async function askBefore(voice: Pick<ConsoleVoice, 't'>, { title, effects, choice }: Asked): Promise<boolean> {
  return (await askFirst(title, effects, [choice], voice.t('ask.back'))) !== undefined
}
