/** One shopper: how to reach them, and their orders, payments, codes, packets and e-mails in one list, the newest first. */
import type { ComponentChildren } from 'preact'
import type { FoundOrder } from '../../../../core/api/control-answers.ts'
import type { FoundShopper } from '../../../../core/api/found-shopper.ts'
import { orderName } from '../../../../core/orders/order-number.ts'
import { orderTableMessages, shopperMessages } from '../../../messages/catalogues.ts'
import { FactsList } from '../lib/facts-list.tsx'
import { useViewWith } from '../view-place.ts'
import { PersonPanel } from './person-panel.tsx'

/** `orders` are those that are shown. */
export function ShopperPanel({ shopper, orders }: { shopper: FoundShopper; orders: readonly FoundOrder[] }) {
  const { voice, may } = useViewWith({ ...orderTableMessages, ...shopperMessages })
  const { shopperId, contact, balances, credits, mails } = shopper
  const money = (amount: number, currency: string) => voice.money(amount, currency)
  const email = contact?.email ?? voice.t('shopper.noEmail')
  const moments: (readonly [at: number, what: ComponentChildren])[] = [
    ...orders.map((order) => {
      const { orderId, reservedAt, status, quantity, amount, currency, payment, coupons } = order
      const facts = [
        voice.t(`order.status.${status}`),
        `${quantity.toLocaleString(voice.locale())} · ${money(amount, currency)}`,
        ...(payment === null ? [] : [`${payment.paymentId} · ${voice.t(`payment.${payment.state}`)}`]),
        ...(coupons === undefined ? [] : [`${voice.t('find.coupons')}: ${voice.t('find.redeemed', coupons)}`]),
      ]
      const link = <a href={`#/orders/${encodeURIComponent(orderId)}`}>{orderName(order)}</a>
      return [reservedAt, [link, ` · ${facts.join(' · ')}`]] as const
    }),
    ...credits.map(({ at, amount, currency, balance }) => {
      const left = voice.t('shopper.balance', { money: money(balance, currency) })
      return [at, `${voice.t('kind.red-packet')} · ${money(amount, currency)} · ${left}`] as const
    }),
    ...mails.map(({ at, kind, state, about }) => {
      return [at, `${voice.t(`mail.kind.${kind}`)} · ${voice.t(`mail.state.${state}`)} · ${about}`] as const
    }),
  ]
  return (
    <section class="panel order" id="shopper">
      <h2>{voice.t('shopper.title', { shopper: shopperId })}</h2>
      <FactsList
        rows={[
          ...(contact === undefined
            ? []
            : [
                [
                  voice.t('shopper.email'),
                  contact?.unsubscribed ? voice.t('shopper.unsubscribed', { email }) : email,
                ] as const,
              ]),
          [
            voice.t('shopper.wallet'),
            balances.map(({ amount, currency }) => money(amount, currency)).join(' · ') || voice.t('shopper.empty'),
          ],
        ]}
      />
      {may('erasePerson') && <PersonPanel shopperId={shopperId} />}
      {moments.length > 0 && (
        <ol class="changes" id="shopper-list">
          {moments
            .toSorted(([a], [b]) => b - a)
            .map(([at, what]) => (
              <li>
                <span>{momentOf(at, voice.locale())}</span> {what}
              </li>
            ))}
        </ol>
      )}
    </section>
  )
}

/** With seconds: in a sale they decide. */
const momentOf = (at: number, locale: string) =>
  new Date(at).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'long' })
