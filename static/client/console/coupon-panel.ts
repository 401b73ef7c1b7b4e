/**
 * The coupon codes of a sale as a file, put together here where they are too many for one answer.
 */

import { tablePieces } from '../../../core/coupon-table.ts'
import { make, setText } from '../dom.ts'
import { askCoupons, type Refused } from './api.ts'
import { saveFile } from './save-file.ts'
import { failureText, type ViewContext } from './view.ts'
import { workButton } from './work-button.ts'

type CouponPanel = { element: HTMLElement; leave(): void }

export function couponPanel(context: ViewContext, saleId: string): CouponPanel {
  const { voice, announce } = context
  let left = false
  const words = make('p', { id: 'codes-part' })
  const bar = make('progress', { 'aria-labelledby': 'codes-part' })
  const progress = make('div', { class: 'codes__progress', hidden: true }, words, bar)
  const element = make(
    'section',
    { class: 'panel codes', id: 'codes' },
    make('h2', {}, voice.t('codes.title')),
    make('p', {}, voice.t('codes.text')),
    workButton('codes-download', 'plain', voice.t('codes.download'), download),
    progress,
  )

  async function download(): Promise<void> {
    announce(voice.t('codes.loading'))
    const texts: string[] = []
    const refused = await gather(texts)
    progress.hidden = true
    if (left) return
    if (refused !== undefined) return announce(failureText(voice, refused))
    saveFile(new Blob(texts, { type: 'text/csv' }), `${saleId}-coupons.csv`)
    announce(voice.t('codes.done'))
  }

  /** Adds the pieces of the table to `texts`; answers with what was refused, if anything was. */
  async function gather(texts: string[]): Promise<Refused | undefined> {
    for await (const piece of tablePieces((part) => askCoupons(saleId, part))) {
      if (piece.kind === 'failed') return piece.failure
      if (left) return undefined
      const { text, done, of } = piece
      texts.push(text)
      progress.hidden = of === 1
      bar.max = of
      bar.value = done
      setText(words, voice.t('codes.part', { done, of }))
    }
    return undefined
  }

  return {
    element,
    leave() {
      left = true
    },
  }
}
