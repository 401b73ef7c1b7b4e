/** The small mark that says which kind of sale this is. */
import type { SaleKind } from '../../../../core/sale/settings.ts'
import { make } from '../../lib/dom.ts'
import type { ConsoleVoice } from '../view.ts'

export function kindTag(voice: ConsoleVoice, kind: SaleKind): HTMLElement {
  return make('span', { class: 'tag', 'data-kind': kind }, voice.t(`kind.${kind}`))
}
