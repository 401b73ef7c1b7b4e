/** The last step of a new sale: what it will do, and what to look at before it is saved. */
import type { SaleDefinition } from '../../../../core/sale/sale.ts'
import { make } from '../../lib/dom.ts'
import type { ConsoleVoice } from '../view.ts'
import { summaryLines } from './form-summary.ts'
import { warningsOf } from './form-warnings.ts'

export function verdictView(voice: ConsoleVoice) {
  const warnings = make('div', { class: 'cautions', id: 'cautions' })
  const list = make('dl', { class: 'summary', id: 'summary' })
  const element = make(
    'div',
    { class: 'group group--check' },
    make('p', {}, voice.t('step.checkText')),
    warnings,
    list,
  )
  return {
    element,
    /** Shows the sale as it would be saved at `now`, epoch ms. */
    draw(sale: SaleDefinition, now: number): void {
      const found = warningsOf(sale, now)
      warnings.hidden = found.length === 0
      warnings.replaceChildren(
        make('h3', {}, voice.t('step.warnings')),
        make(
          'ul',
          {},
          ...found.map(({ key, args }) => make('li', { 'data-warning': key }, voice.t(key, args))),
        ),
      )
      list.replaceChildren(
        ...summaryLines(voice, sale, now).map(({ label, text }) =>
          make('div', {}, make('dt', {}, voice.t(label)), make('dd', { 'data-line': label }, text)),
        ),
      )
    },
  }
}
