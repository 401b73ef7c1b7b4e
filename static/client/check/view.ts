/**
 * Draws the check beside the button: a line of words, and the way to try again where that may help.
 */
import type { Phase } from '../../../core/sale/phase.ts'
import type { checkMessages } from '../../messages/catalogues.ts'
import { byId, make, setText } from '../lib/dom.ts'
import type { Voice } from '../lib/voice.ts'
import type { OpeningKey } from '../sale/news.ts'
import type { CheckState } from './person-check.ts'

type ViewParts = {
  place: HTMLElement
  button: string
  voice: Pick<Voice<OpeningKey>, 't'>
  say(key: keyof typeof checkMessages): string
  onAgain(): void
}

/**
 * In its `place`, whose first child is the line; `say` has the words of the check; `onAgain` is called when the shopper asks
 * for another try; `button` is the id of what the check leads to.
 */
export function checkView({ place, button, voice, say, onAgain }: ViewParts) {
  const line = place.children[0] as HTMLElement
  const again = make('button', { type: 'button', id: `${place.id}-again`, hidden: true, click: onAgain })
  place.append(again)

  return (state: CheckState, phase: Phase | undefined) => {
    const words = wordsOf(state, phase)
    const counts = phase === undefined || phase === 'scheduled' || phase === 'open'
    place.hidden = words === undefined || !counts
    place.dataset.state = state.kind
    if (words !== undefined) setText(line, words)
    setText(again, say('check.again'))
    hideAgain(state.kind !== 'failed')
  }

  /**
   * The line of news already leads strangers to the sign-in. A sale that is open has no `later`:
   * its buyer has won.
   */
  function wordsOf(state: CheckState, phase: Phase | undefined): string | undefined {
    if (state.kind === 'off') return undefined
    if (state.kind === 'later') return phase === 'open' ? undefined : voice.t('check.later')
    if (state.kind !== 'refused') return say(`check.${state.kind}`)
    return state.code === 'sign-in-required' ? undefined : voice.t(`problem.${state.code}`)
  }

  /**
   * A control that goes away takes the reader's place in the page with it; the next one they want
   * is the button.
   */
  function hideAgain(hidden: boolean): void {
    if (hidden && document.activeElement === again) byId(button).focus()
    again.hidden = hidden
  }
}
