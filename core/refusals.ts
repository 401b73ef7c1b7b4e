/**
 * Why the control API refuses a change: a stable code, and the English sentence of the problem's
 * `detail`. Consoles translate by code. `{name}` is filled from the problem's `values`.
 */
import { optionRefusals } from './options.ts'

const table = {
  'changed-meanwhile': 'Someone else changed the sale at the same time. Reload and try again.',
  'brand-changed': 'Someone else changed the brand at the same time. Reload and try again.',
  'stock-busy': 'Another change of this sale is still in progress. Try again in a moment.',
  'stock-lost':
    'The live stock of this sale was lost. It is rebuilt from the orders within a minute or two: try again then.',
  'change-saved':
    'The live stock of this sale was lost. Your change is saved and is applied once it is rebuilt, within a minute or two.',
  'id-taken': 'This ID is taken. IDs can’t be reused.',
  'unknown-order': 'There is no order with this number.',
  'nothing-to-refund': 'The order is already {status}: there is nothing to refund.',
  'no-returned-refund': 'The bank has returned no refund of this order: there is nothing to settle.',
  'orders-open':
    'Nothing was erased: these orders are still open: {orders}. Erase once they are paid or cancelled, shipped, and settled.',
  'payment-disputed':
    'The payment of this order is disputed: the shopper’s bank decides who gets the money, so it can’t be refunded.',
  'being-captured': 'The payment of this order is being confirmed. Try again in five minutes.',
  'dispute-lost': 'The bank has already returned the money of this order to the shopper: it can’t be refunded again.',
  'paid-in-shop': 'This order was paid in the checkout of the shop: refund it there, and let the shop release it.',
  'not-in-shop': 'This order is not paid in the checkout of a shop.',
  'reservation-over': 'The time to pay is over, and the units are no longer available. Refund the shopper.',
  'reservation-released': 'The order was cancelled or released. Refund the shopper.',
  'confirmed-otherwise': 'The order was confirmed for another order of the shop ({reference}). Refund the shopper.',
  'order-shipped': 'The order is {status}, so its units can’t be released.',
  'coupon-redeemed': 'A coupon of the order is redeemed, so the order can’t be cancelled.',
  'coupon-void': 'The order of this coupon was cancelled.',
  'coupon-not-yet': 'The coupon is valid from {at}.',
  'coupon-expired': 'The coupon was valid until {at}.',
  'coupon-used': 'The coupon was redeemed at {at}.',
  'coupon-undone': 'This redemption was undone. Redeem the coupon again with another Idempotency-Key.',
  'coupon-not-redeemed': 'Nothing was redeemed with this Idempotency-Key.',
  'coupon-undo-late': 'The redemption could be undone until {at}.',
  'coupon-undo-limit': 'Redemptions of this coupon, or of others in its order, were undone too many times.',
  'over-refund-limit':
    'Support may cancel or refund orders of at most {limit} in this sale; this one is {amount}. Ask a marketer.',
  archived: 'The sale is archived. Its orders can still be viewed, shipped and refunded; nothing else changes.',
  ended: 'The sale has ended.',
  paused: 'The sale is paused: resume it instead.',
  'not-started': 'The sale hasn’t started, so there is nothing to pause.',
  'not-paused': 'The sale isn’t paused: start it instead.',
  'field-locked': '“{field}” can’t be changed once the sale has started.',
  'windows-locked': 'Rounds can’t be changed once the sale has started.',
  'first-window-ended': 'The first round has ended.',
  'packets-split': 'The red packets are already split.',
  'packets-currency': 'The red packets are already split in their currency.',
  'stock-loaded': 'The stock is loaded: change it with “Add” or “Remove” on the sale’s page (API: POST …/stock).',
  'shards-placed': 'The stock is split already. Only a sale that isn’t published can be split over more databases.',
  'money-returned': 'The sale has ended, and the rest of the money is returned to you.',
  'was-started': 'The sale was started: end it instead of deleting it.',
  'key-used': 'This key was used for another change.',
  'packets-fixed': 'Red packets are split before the sale starts, so their number can’t change.',
  'packets-claimed': 'Red packets are claimed by shoppers and can’t be ordered for them.',
  'units-drawn': 'Only invited shoppers may buy in this sale, so its units can’t be ordered for others.',
  'only-goods-shipped': 'Only orders of goods are shipped.',
  'not-yet-published': 'The sale isn’t published yet, so it takes no orders.',
  'not-published': 'The sale isn’t published yet: edit it instead.',
  'variants-loaded': 'The stock is loaded: variants can be renamed, but not added, removed or reordered.',
  'variant-required': 'This sale has variants: choose the one to change.',
  'variant-unknown': 'This sale has no such variant.',
  'stock-unlimited': 'The stock is unlimited.',
  'stock-range': 'The stock must stay between 0 and {limit}.',
  'stock-reserved': 'You can remove at most {limit}: the rest is reserved by shoppers.',
  'stock-differs': 'Stock and orders don’t match yet. They are being repaired: try again in a minute.',
  'own-block': 'You can’t block yourself. Ask another marketer.',
  'own-session-key':
    'Your own session is signed with this key. Switch the sign-in to another key and sign in again; then block this one.',
  'blocklist-full': 'The blocklist is full ({limit} entries). Block an IP range, or unblock some.',
  'issuers-full': 'There are already {limit} issuers. Delete one first.',
  'issuer-taken': 'Another entry ({name}) already has this issuer: change that one.',
  'table-in-parts': 'This is too much for one response. Request it in parts: ?after= for the first one.',
  'loopback-origin': 'Pages at http://localhost can sell only in a local shop. Enter origins that begin with https.',
  'no-checkout':
    'Checkout in a shop isn’t set up on this stage. Leave the address empty, or have its setting “checkout” added.',
  'amount-charged':
    'The payment provider accepts {least} to {most} {currency} for an order, in steps of {step}. Change the price, the delivery cost or the units of an order.',
  'turnstile-missing':
    'Turnstile isn’t set up in this shop yet. Choose another bot check, or have its keys added to the secret of the edge.',
  'no-coupons': 'This sale has no coupons.',
  'no-packets': 'This sale has no red packets.',
  'unknown-upload': 'Upload not found. Uploads are kept for a day: choose the file again.',
  'picture-type': 'This file is not a JPEG, PNG, WebP or AVIF picture.',
  'picture-active': 'This file contains a script, a web page or a drawing with code (SVG). Export it as JPEG or PNG.',
  'picture-animated': 'This picture is animated. Use a still picture.',
  'picture-size': 'This picture has more than {pixels} million pixels, or a side over {side} pixels.',
  'picture-bytes': 'This file is empty, or larger than {megabytes} MB.',
  'picture-broken': 'This picture is incomplete or damaged.',
  'never-started': 'The sale was never started, so there is nothing to rebuild. Publish it again.',
  'list-incomplete': 'The list of orders isn’t complete yet. The sale stays closed: rebuild it again.',
  'orders-changing': 'Orders are still being cancelled. The sale stays closed: rebuild it again.',
  ...optionRefusals,
} as const satisfies Record<string, string>

export type RefusalReason = keyof typeof table

export const refusalReasons = table as Readonly<Record<RefusalReason, string>>

/** Values for the placeholders of a sentence. */
export type RefusalValues = Readonly<Record<string, string | number>>

/** A refusal before it becomes a problem. `field` is the request field that it is about. */
export type Refusal = { reason: RefusalReason; values?: RefusalValues; field?: string }

/** Returns the English sentence for a refusal. */
export function refusalText({ reason, values = {} }: Refusal): string {
  return table[reason].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}
