/** The sales that were not started although their start is near or has passed, above the list. */
import { type Sale, textIn } from '../../../../core/sale/sale.ts'
import { make } from '../../lib/dom.ts'
import { redraw } from '../../lib/redraw.ts'
import { startAdvice } from '../sale/start-state.ts'
import type { ConsoleVoice } from '../view.ts'

/** The element stays while the list is redrawn, or screen readers would read it every time. */
export function startAlarms(voice: ConsoleVoice) {
  const element = make('div', { class: 'notices', id: 'start-alarms', role: 'alert' })
  let drawn = ''

  return {
    element,
    draw(sales: readonly Sale[]): void {
      const lines = sales.flatMap((sale) => {
        const advice = startAdvice(voice, sale, Date.now())
        return advice?.loud === true ? [{ sale, advice }] : []
      })
      const alarms = lines.map(({ sale, advice }) => `${sale.saleId} ${advice.key}`).join(' ')
      if (alarms === drawn) return
      drawn = alarms
      redraw(
        element,
        ...lines.map(({ sale, advice: { key, args } }) =>
          make(
            'p',
            { class: 'notice' },
            make('a', { href: `#/sale/${sale.saleId}` }, textIn(sale, voice.language()).title),
            ' ',
            voice.t(key === 'start.overdueText' ? 'start.listOverdue' : 'start.listSoon', args),
          ),
        ),
      )
    },
  }
}
