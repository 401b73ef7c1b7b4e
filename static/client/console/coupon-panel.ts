/** The coupon codes of a sale as a file. */
import { make } from '../dom.ts'
import { downloadTable } from './download.ts'
import type { ViewContext } from './view.ts'
import { workButton } from './work-button.ts'

export function couponPanel(context: ViewContext, saleId: string, hasLeft: () => boolean): HTMLElement {
  const { voice } = context
  return make(
    'section',
    { class: 'panel codes', id: 'codes' },
    make('h2', {}, voice.t('codes.title')),
    make('p', {}, voice.t('codes.text')),
    workButton('codes-download', 'plain', voice.t('codes.download'), () =>
      downloadTable(context, 'coupons', saleId, hasLeft),
    ),
  )
}
