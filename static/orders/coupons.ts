/** The codes of an order of coupons, each with a QR code and a button that copies it, and when they can be redeemed. */
import type { OrderView } from '../../core/api/shop.ts'
import { type CouponCode, formatCoupon } from '../../core/orders/coupon.ts'
import type { OrderStage } from '../../core/orders/order-stage.ts'
import type { couponCodeMessages } from '../../templates/messages/catalogues.ts'
import type { Arguments } from '../../templates/messages/text.ts'
import { byId, make, setText } from '../../web/dom.ts'
import { loadModule } from '../../web/load-module.ts'
import { button, headed } from '../../web/parts.ts'
import type { SaleCard } from '../../web/sale-card.ts'
import { copyText } from '../../web/save.ts'

/** The words around codes, and times of validity. */
export type CouponVoice = {
  t(key: keyof typeof couponCodeMessages, args?: Arguments): string
  farMoment(ms: number): string
}

/** Whether the order is of coupons. Its codes say so even where the page of its sale is gone. */
export function isOfCoupons({ coupons }: Pick<OrderView, 'coupons'>, { isCoupon }: SaleCard): boolean {
  return isCoupon || coupons !== undefined
}

/** Undefined for an order that has no codes to show. */
export function makeCoupons(voice: CouponVoice, order: OrderView, stage: OrderStage): HTMLElement | undefined {
  const { coupons } = order
  if (coupons === undefined) return undefined
  return headed(
    'coupons-title',
    voice.t('coupon.codes', { n: coupons.length }),
    {},
    ...drawCodes(voice, order, stage, ''),
  )
}

/** The codes of the order and when they can be redeemed; `mark` ends the ids of its elements, so that a page can have several orders. */
export function drawCodes(voice: CouponVoice, order: OrderView, stage: OrderStage, mark: string): HTMLElement[] {
  const { coupons = [] } = order
  const note = make('p', { class: 'coupons__note note', id: `coupons-note${mark}`, role: 'status' })
  const list = make('ul', { class: 'stack' })
  const redeemed = new Set(order.redeemed)
  const rows = coupons.map((code, index) => {
    const id = `${index + 1}${mark}`
    return redeemed.has(code) ? redeemedRow(voice, code, id) : row(voice, code, id, { list, note })
  })
  list.append(...rows)
  // A code that is worth nothing any more is not there to be scanned.
  if (stage !== 'expired')
    void drawQrCodes(voice, (draw) => {
      coupons.forEach((code, index) => {
        if (!redeemed.has(code)) rows[index]?.prepend(draw(code))
      })
    })
  const valid = validity(voice, order, stage)
  valid.id = `coupons-validity${mark}`
  return [list, note, valid]
}

type Around = { list: HTMLElement; note: HTMLElement }

function row(voice: CouponVoice, code: CouponCode, name: string, around: Around): HTMLElement {
  const id = `coupon-${name}`
  const shown = make('code', { class: 'coupon__code', id, translate: 'no' }, ...inGroups(formatCoupon(code)))
  const look = { look: 'plain', id: `copy-${name}`, 'aria-describedby': id }
  const copier = button(voice.t('coupon.copy'), () => void copy(voice, shown, copier, around), look)
  return make('li', { class: 'coupon row row--apart' }, shown, copier)
}

/** Hands over what draws the picture of a code, once its script is there. */
async function drawQrCodes(voice: CouponVoice, put: (draw: (code: CouponCode) => Element) => void): Promise<void> {
  const drawing = await loadModule<typeof import('../coupon-qr.ts')>(byId('main').dataset.qrScript ?? '')
  if (drawing === undefined) return
  put((code) => drawing.drawQrCode(code, voice.t('coupon.qr', { code: formatCoupon(code) })))
}

/** A code that was redeemed is worth nothing any more, so it is not there to be copied. */
function redeemedRow(voice: CouponVoice, code: CouponCode, name: string): HTMLElement {
  const shown = make('s', { translate: 'no' }, ...inGroups(formatCoupon(code)))
  return make(
    'li',
    { class: 'coupon coupon--redeemed row row--apart', id: `redeemed-${name}` },
    make('code', { class: 'coupon__code', id: `coupon-${name}` }, shown),
    make('strong', {}, voice.t('coupon.redeemed')),
  )
}

/** A code that is too long for its line breaks between its groups. */
function inGroups(text: string): Node[] {
  return text.split(/(?<=-)/).flatMap((group) => [document.createTextNode(group), make('wbr')])
}

/** At most one code is on the clipboard, so at most one button says so. */
async function copy(
  voice: CouponVoice,
  shown: HTMLElement,
  copier: HTMLElement,
  { list, note }: Around,
): Promise<void> {
  const isCopied = await copyText(shown.textContent, shown)
  for (const other of list.querySelectorAll('button')) {
    const isThis = isCopied && other === copier
    setText(other, voice.t(isThis ? 'coupon.copied' : 'coupon.copy'))
    if (isThis) other.dataset.state = 'copied'
    else delete other.dataset.state
  }
  // The button shows that it worked; who listens is note as well, and note again by every press.
  note.classList.toggle('unseen', isCopied)
  note.replaceChildren(voice.t(isCopied ? 'coupon.copied' : 'coupon.copyByHand'))
}

function validity(voice: CouponVoice, order: OrderView, stage: OrderStage): HTMLElement {
  const key = validityOf(order, stage)
  const { validFrom, validUntil } = order
  const from = validFrom === undefined ? '' : voice.farMoment(validFrom)
  const until = validUntil === undefined ? '' : voice.farMoment(validUntil)
  const time = voice.t(key, { from, until })
  const text = key === 'coupon.expired' ? time : voice.t('coupon.where', { time, shop: shopHere() })
  return make('p', { class: 'coupons__validity' }, text)
}

/** The name of the shop as the header of the page shows it. */
function shopHere(): string {
  const header = document.querySelector('.wordmark')
  return header?.querySelector('img')?.alt || header?.textContent || location.host
}

type Bounds = Pick<OrderView, 'validFrom' | 'validUntil'>

/**
 * The key of the sentence that says when the coupons of an order can be redeemed. The sentence may name `from` and
 * `until`.
 */
export function validityOf({ validFrom, validUntil }: Bounds, stage: OrderStage): keyof typeof couponCodeMessages {
  if (stage === 'expired') return 'coupon.expired'
  if (validFrom === undefined) return validUntil === undefined ? 'coupon.always' : 'coupon.until'
  return validUntil === undefined ? 'coupon.from' : 'coupon.between'
}
