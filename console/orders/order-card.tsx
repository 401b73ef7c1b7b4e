/** Shows one order to support: its actions, units, payments, refunds and history. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { FoundOrder } from '../../core/api/control-answers.ts'
import type { FoundShopper } from '../../core/api/found-shopper.ts'
import { trackingUrl } from '../../core/orders/carriers.ts'
import { isHistoryWord } from '../../core/orders/order.ts'
import { orderName } from '../../core/orders/order-number.ts'
import { failedRefunds, refundTotal } from '../../core/orders/order-refunds.ts'
import { shownStatus } from '../../core/orders/order-standing.ts'
import type { Shipment } from '../../core/orders/shipment.ts'
import { countryNames } from '../../templates/messages/language.ts'
import { saleCard } from '../../web/sale-card.ts'
import { linesText } from '../../web/variant-words.ts'
import { FactsList } from '../parts/facts-list.tsx'
import type { Key } from '../parts/kind-words.ts'
import { WorkButton } from '../parts/work-button.tsx'
import { nothingToRefund, refundKeys } from '../sale/effects.ts'
import { refund, settleByHand } from '../sale/repairs.ts'
import { type ConsoleVoice, useView } from '../view.ts'
import { isOverLimit, overLimitText, useRefundLimits } from './refund-limit.ts'
import { canShip, ShipForm } from './ship-form.tsx'

type Delivery = NonNullable<FoundShopper['deliveries']>[number]

type Props = {
  order: FoundOrder
  /** Where it is sent. */
  delivery: Delivery | undefined
  /** Called once the order was given back or shipped. */
  changed(): void
}

export function OrderCard({ order, delivery, changed }: Props) {
  const context = useView()
  const { voice, may } = context
  const { orderId, status, history, coupons } = order
  const more: (readonly [string, ComponentChildren])[] = [
    ...(coupons ? [[voice.t('find.coupons'), voice.t('find.redeemed', coupons)] as const] : []),
    ...(delivery ? [[voice.t('find.address'), <AddressLines {...delivery} />] as const] : []),
  ]
  const refundOrder = async () => (await refund(context, orderId)) && changed()
  const limits = useRefundLimits([order])
  const isOver = isOverLimit(order, limits)
  const settles = may('settleRefund') && failedRefunds(order).length > 0
  const givesBack = may('refund') && nothingToRefund(voice, order) === undefined
  const settle = async () => (await settleByHand(context, order)) && changed()
  return (
    <article class="panel order" data-order={orderId} data-status={status}>
      <h2>{orderName(order)}</h2>
      {order.orderNumber !== undefined && <p>{orderId}</p>}
      {isOver && (settles || givesBack) && (
        <p data-over-limit>{overLimitText(voice, order, limits.get(order.saleId) ?? 0)}</p>
      )}
      <div class="row chosen__ship">
        {settles && !isOver && (
          <WorkButton id={`settle-${orderId}`} look="main" work={settle}>
            {voice.t('settle.do')}
          </WorkButton>
        )}
        {givesBack && !isOver && (
          <WorkButton id={`refund-${orderId}`} look="plain" work={refundOrder}>
            {voice.t(refundKeys(order).act)}
          </WorkButton>
        )}
      </div>
      {may('ship') && canShip(order) && <ShipForm key={orderId} orders={[order]} done={changed} />}
      <FactsList rows={[...factsOf(voice, order).map(([name, value]) => [voice.t(name), value] as const), ...more]} />
      <h3>{voice.t('find.history')}</h3>
      <ol class="changes">
        {history.map((entry) => (
          <li>
            <span>{voice.farMoment(entry.at)}</span> {voice.t(stepKey(entry))}
          </li>
        ))}
      </ol>
    </article>
  )
}

function AddressLines({ lines, country, phone }: Delivery) {
  const { voice } = useView()
  return (
    <address>
      {[...lines, countryNames(voice.locale())(country), phone].map((line) => (
        <bdi key={line}>{line}</bdi>
      ))}
    </address>
  )
}

type Fact = [Key, ComponentChildren]

function factsOf(voice: ConsoleVoice, order: FoundOrder): Fact[] {
  const { saleId, shopperId, quantity, variant, amount, currency, reservedAt, payBy } = order
  const { payment, refunds, shipment, dispute } = order
  const disputed = dispute && voice.t(`dispute.${dispute.state}`, { time: voice.farMoment(dispute.at) })
  const facts: Fact[] = [
    ['find.status', statusText(voice, order)],
    ['find.shopper', <a href={`#/orders/${encodeURIComponent(shopperId)}`}>{shopperId}</a>],
    ['find.sale', <NamedSale saleId={saleId} />],
    ['find.amount', `${quantity.toLocaleString(voice.locale())} · ${voice.money(amount, currency)}`],
    ['find.variants', variant && <NamedUnits saleId={saleId} variant={variant} quantity={quantity} />],
    ['find.reservedAt', voice.farMoment(reservedAt)],
    ['find.payBy', payBy === null ? undefined : voice.farMoment(payBy)],
    ['find.payment', payment === null ? undefined : paymentText(voice, payment)],
    ['find.carrier', shipment && shipmentText(shipment)],
    ['find.dispute', disputed],
    ...refunds.map((one): Fact => ['find.refund', refundText(voice, one)]),
  ]
  return facts.filter(([, value]) => value !== undefined)
}

/** Returns the name and status of the order. */
export const statusText = (voice: Pick<ConsoleVoice, 't'>, order: FoundOrder): string =>
  [...new Set([shownStatus(order), order.status])].map((status) => voice.t(`order.status.${status}`)).join(' · ')

function paymentText(voice: ConsoleVoice, { paymentId, state }: NonNullable<FoundOrder['payment']>): string {
  return `${paymentId} · ${voice.t(`payment.${state}`)}`
}

function refundText(voice: ConsoleVoice, refund: FoundOrder['refunds'][number]): string {
  const { paymentId, returned, currency, failedAt } = refund
  const money = (minor: number) => voice.money(minor, currency)
  const sums = { returned: money(returned), amount: money(refundTotal(refund)) }
  const text = `${paymentId} · ${voice.t('find.returned', sums)}`
  return failedAt === undefined
    ? text
    : `${text} · ${voice.t('find.refundFailed', { time: voice.farMoment(failedAt) })}`
}

function shipmentText(shipment: Shipment): ComponentChildren {
  const { carrier, tracking } = shipment
  const url = trackingUrl(shipment)
  if (tracking === undefined) return carrier
  if (url === undefined) return `${carrier} · ${tracking}`
  return (
    <span>
      {`${carrier} · `}
      <a href={url} target="_blank" rel="noopener noreferrer">
        {tracking}
      </a>
    </span>
  )
}

/** Returns the key of a step; an unknown step is named by its status. */
function stepKey({ what, status }: FoundOrder['history'][number]): Key {
  if (!isHistoryWord(what)) return `order.status.${status}`
  // "Delivered" of the events of the shop is another word.
  return what === 'delivered' ? 'event.arrived' : `event.${what}`
}

/** The title of a sale, which leads to it. It is on the sale's page; until then its id stands for it. */
export function NamedSale({ saleId }: { saleId: string }) {
  const { voice } = useView()
  const [title, setTitle] = useState(saleId)
  const language = voice.language()
  useEffect(() => void saleCard(saleId).then((card) => setTitle(card.titleIn(language))), [saleId, language])
  return (
    <a dir="auto" href={`#/sale/${saleId}`}>
      {title}
    </a>
  )
}

type NamedUnitsProps = { saleId: string; variant: string; quantity: number }

/** Units in words (N1). The name of the variant is on the page of the sale; until then its id stands for it. */
export function NamedUnits({ saleId, variant, quantity }: NamedUnitsProps) {
  const { voice } = useView()
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  const language = voice.language()
  useEffect(() => void saleCard(saleId).then((card) => setNames(card.variantsIn(language))), [saleId, language])
  return <span>{linesText({ [variant]: quantity }, names, voice.locale())}</span>
}
