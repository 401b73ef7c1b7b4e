/** Draws the coupon codes of an order, each with a QR code and a copy button, and their validity. */
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

/** The translator for codes and their validity. */
export type CouponVoice = {
  t(key: keyof typeof couponCodeMessages, args?: Arguments): string
  farMoment(ms: number): string
}

/** True for an order of coupons. Its codes prove it even if the page of its sale is gone. */
export function isOfCoupons({ coupons }: Pick<OrderView, 'coupons'>, { isCoupon }: SaleCard): boolean {
  return isCoupon || coupons !== undefined
}

/** Draws the section with the codes; undefined for an order without codes. */
export function drawCoupons(voice: CouponVoice, order: OrderView, stage: OrderStage): HTMLElement | undefined {
  const { coupons } = order
  if (coupons === undefined) return undefined
  return headed(
    'coupons-title',
    voice.t('coupon.codes', { n: coupons.length }),
    {},
    ...drawCodes(voice, order, stage, ''),
  )
}

/** Draws the codes and their validity. `mark` is a suffix for ids, so that a page can show several orders. */
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
  // Expired codes have no QR code.
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

/** Calls `put` with the function that draws a QR code, once its script is loaded. */
async function drawQrCodes(voice: CouponVoice, put: (draw: (code: CouponCode) => Element) => void): Promise<void> {
  const drawing = await loadModule<typeof import('../coupon-qr.ts')>(byId('main').dataset.qrScript ?? '')
  if (drawing === undefined) return
  put((code) => drawing.drawQrCode(code, voice.t('coupon.qr', { code: formatCoupon(code) })))
}

/** Draws a redeemed code, without a copy button. */
function redeemedRow(voice: CouponVoice, code: CouponCode, name: string): HTMLElement {
  const shown = make('s', { translate: 'no' }, ...inGroups(formatCoupon(code)))
  return make(
    'li',
    { class: 'coupon coupon--redeemed row row--apart', id: `redeemed-${name}` },
    make('code', { class: 'coupon__code', id: `coupon-${name}` }, shown),
    make('strong', {}, voice.t('coupon.redeemed')),
  )
}

/** Allows line breaks between the groups of a code. */
function inGroups(text: string): Node[] {
  return text.split(/(?<=-)/).flatMap((group) => [document.createTextNode(group), make('wbr')])
}

/** Copies a code. Only the last pressed button shows “copied”. */
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
  // The button shows the result. Screen readers read the note, on each press.
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

/** Returns the name of the shop from the header. */
function shopHere(): string {
  const header = document.querySelector('.wordmark')
  return header?.querySelector('img')?.alt || header?.textContent || location.host
}

type Bounds = Pick<OrderView, 'validFrom' | 'validUntil'>

/** Returns the key of the sentence about the validity of coupons. Its arguments are `from` and `until`. */
export function validityOf({ validFrom, validUntil }: Bounds, stage: OrderStage): keyof typeof couponCodeMessages {
  if (stage === 'expired') return 'coupon.expired'
  if (validFrom === undefined) return validUntil === undefined ? 'coupon.always' : 'coupon.until'
  return validUntil === undefined ? 'coupon.from' : 'coupon.between'
}
