/** Shows the orders of one or all sales in a table with filters, pages and bulk actions. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { FoundOrder } from '../../core/api/control-answers.ts'
import type { OrderId } from '../../core/ids.ts'
import { csvText } from '../../core/lib/csv-line.ts'
import { majorText } from '../../core/money.ts'
import { disputeStates, orderStatuses } from '../../core/orders/order.ts'
import { orderName } from '../../core/orders/order-number.ts'
import { placeInOrders } from '../../core/orders/order-page.ts'
import { refundSum, refundTotal } from '../../core/orders/order-refunds.ts'
import { shownStatus } from '../../core/orders/order-standing.ts'
import { saleCard } from '../../web/sale-card.ts'
import { saveFile } from '../../web/save.ts'
import { oneOf } from '../../web/wire.ts'
import { control } from '../api.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { SelectField } from '../parts/field.tsx'
import { Pending } from '../parts/pending.tsx'
import { PlainButton, WorkButton } from '../parts/work-button.tsx'
import { useView } from '../view.ts'
import { ChosenOrders } from './chosen-orders.tsx'
import { NamedSale, NamedUnits, statusText } from './order-card.tsx'
import { addressOfOrders, filtersOf, type OrdersAsked } from './orders-address.ts'

/** Rows that fill a screen. */
const fullPage = 50

/** `first` is what the address asks for; the filters change it. */
export function OrderTable({ first }: { first: OrdersAsked }) {
  const { voice, may, announce, explain, isLeft } = useView()
  const [asked, setAsked] = useState(first)
  const [orders, setOrders] = useState<readonly FoundOrder[]>()
  const [next, setNext] = useState<string | null>(null)
  const [chosen, setChosen] = useState<ReadonlySet<OrderId>>(new Set())
  const [variants, setVariants] = useState<ReadonlyMap<string, string>>(new Map())
  const [isReading, setReading] = useState(true)
  const reading = useRef(0)
  const { sale, status, dispute, variant, name } = asked
  const isFiltered = [status, dispute, variant, name].some((filter) => filter !== undefined)
  const isSearching = isFiltered && isReading

  /** The filter keeps the focus: arrow keys go on to its next choice. */
  function filter(change: OrdersAsked): void {
    const next = { ...asked, ...change }
    history.pushState(null, '', addressOfOrders(next))
    setAsked(next)
    setOrders(undefined)
    setReading(true)
    setNext(null)
    setChosen(new Set())
  }

  /** Reads pages until a screen is full, because a filtered page may have few orders or none. */
  async function read(from?: string): Promise<void> {
    reading.current += 1
    const mine = reading.current
    let [after, found] = [from, 0]
    for (;;) {
      setReading(true)
      const isFirst = after === undefined
      const filters = { ...filtersOf(asked), ...(after !== undefined && { after }) }
      const answer = await (name === undefined
        ? control.listAllOrders({ query: filters })
        : control.findOrders({ body: filters }))
      if (isLeft() || mine !== reading.current) return
      if (!answer.ok) {
        setReading(false)
        return void explain(answer.reply)
      }
      if (!isFirst) announce('')
      const page = answer.value
      setOrders((shown = []) => (isFirst ? page.orders : [...shown, ...page.orders]))
      setNext(page.next)
      found += page.orders.length
      if (!isFiltered || page.next === null || found >= fullPage) return setReading(false)
      after = page.next
    }
  }

  function stop(): void {
    reading.current += 1
    setReading(false)
  }

  useEffect(() => void read(), [asked])
  useEffect(() => {
    if (sale !== undefined) void saleCard(sale).then((card) => setVariants(card.variantsIn(voice.language())))
  }, [sale])

  const shown = orders ?? []
  const mayChoose = may('refund') || may('ship')
  const picked = shown.filter(({ orderId }) => chosen.has(orderId))
  const choose = (ids: readonly OrderId[], isChosen: boolean) =>
    setChosen((before) => {
      const after = new Set(before)
      for (const id of ids) isChosen ? after.add(id) : after.delete(id)
      return after
    })
  const columns: readonly (Column<FoundOrder> | false)[] = [
    mayChoose && {
      heading: voice.t('table.choose'),
      cell: (order) => (
        <input
          type="checkbox"
          aria-label={voice.t('table.chooseOne', { number: orderName(order) })}
          checked={chosen.has(order.orderId)}
          onChange={({ currentTarget }) => choose([order.orderId], currentTarget.checked)}
        />
      ),
    },
    {
      ...{ heading: voice.t('table.order'), kind: 'name' },
      cell: (order) =>
        may('findOrders') ? <a href={`#/orders/${order.orderId}`}>{orderName(order)}</a> : orderName(order),
    },
    { heading: voice.t('table.time'), cell: ({ reservedAt }) => voice.farMoment(reservedAt) },
    sale === undefined && {
      heading: voice.t('table.sale'),
      cell: ({ saleId }) => <NamedSale saleId={saleId} />,
    },
    { heading: voice.t('table.shopper'), cell: ({ shopperId }) => shopperId },
    {
      heading: voice.t('table.status'),
      cell: (order) => (
        <>
          {statusText(voice, order)}
          <Marks order={order} />
        </>
      ),
    },
    {
      ...{ heading: voice.t('table.units'), kind: 'number' },
      cell: ({ saleId, variant, quantity }) =>
        variant === undefined ? (
          quantity.toLocaleString(voice.locale())
        ) : (
          <NamedUnits saleId={saleId} variant={variant} quantity={quantity} />
        ),
    },
    {
      ...{ heading: voice.t('table.amount'), kind: 'number' },
      cell: ({ amount, currency }) => voice.money(amount, currency),
    },
  ]
  return (
    <section class="panel" id="order-table" aria-busy={orders === undefined || undefined}>
      {sale !== undefined && (
        <p class="order-table__sale">
          <NamedSale saleId={sale} />
          {' · '}
          <a href={addressOfOrders({ status, dispute })}>{voice.t('table.allSales')}</a>
        </p>
      )}
      {name !== undefined && (
        <p id="orders-named">
          {voice.t('table.named', { name })}
          {' · '}
          <a href={addressOfOrders({ ...asked, name: undefined })}>{voice.t('table.anyName')}</a>
        </p>
      )}
      <div class="row order-table__tools">
        <SelectField
          field={{ name: 'status', label: voice.t('table.status') }}
          options={[
            ['', voice.t('table.any')],
            ...orderStatuses
              .filter((one) => one !== 'reserved')
              .map((one) => [one, voice.t(`order.status.${one}`)] as const),
          ]}
          value={status ?? ''}
          enter={(value) => filter({ status: oneOf(orderStatuses, value) })}
        />
        <SelectField
          field={{ name: 'dispute', label: voice.t('table.dispute') }}
          options={[
            ['', voice.t('table.anyDispute')],
            ...disputeStates.map((one) => [one, voice.t(`table.dispute.${one}`)] as const),
          ]}
          value={dispute ?? ''}
          enter={(value) => filter({ dispute: oneOf(disputeStates, value) })}
        />
        {variants.size > 0 && (
          <SelectField
            field={{ name: 'variant', label: voice.t('table.variant') }}
            options={[['', voice.t('table.anyVariant')], ...variants]}
            value={variant ?? ''}
            enter={(value) => filter({ variant: value === '' ? undefined : value })}
          />
        )}
        {shown.length > 0 && (
          <WorkButton
            id="orders-save"
            look="plain"
            work={async () => saveTable(picked.length > 0 ? picked : shown, sale ?? 'all')}
          >
            {voice.t('table.save')}
          </WorkButton>
        )}
      </div>
      {mayChoose && (
        <ChosenOrders
          orders={picked}
          done={(ids) => {
            choose(ids, false)
            void read()
          }}
        />
      )}
      {orders === undefined && <Pending hasFailed={!isReading} again={() => read()} />}
      {orders !== undefined && orders.length === 0 && next === null && (
        <p class="empty">{voice.t(isFiltered ? 'table.emptyOf' : 'table.empty')}</p>
      )}
      <p id="orders-order" hidden={shown.length === 0}>
        {voice.t(sale === undefined ? 'table.captionAll' : 'table.caption')}
      </p>
      {orders !== undefined && (
        <p id="orders-count" role="status">
          {shown.length > 0 && voice.t(next === null ? 'table.count' : 'table.countSome', { n: shown.length })}
        </p>
      )}
      {shown.length > 0 && (
        <DataTable
          labelledBy="orders-order"
          columns={columns.filter((column) => column !== false)}
          rows={shown}
          keyOf={({ orderId }) => orderId}
          dataOf={({ orderId, status }) => ({ 'data-order': orderId, 'data-status': status })}
        />
      )}
      {mayChoose && shown.length > 1 && (
        <label class="row">
          <input
            type="checkbox"
            id="choose-all"
            checked={picked.length === shown.length}
            onChange={({ currentTarget }) =>
              choose(
                shown.map(({ orderId }) => orderId),
                currentTarget.checked,
              )
            }
          />
          {voice.t('table.chooseAll')}
        </label>
      )}
      {isFiltered && next !== null && (
        <p id="orders-searched">{voice.t('table.searched', { time: searchedTo(voice, next) })}</p>
      )}
      {isSearching ? (
        <PlainButton id="stop-search" onClick={stop}>
          {voice.t('table.stop')}
        </PlainButton>
      ) : (
        next !== null && (
          <WorkButton id="more-orders" look="plain" work={() => read(next)}>
            {voice.t(isFiltered ? 'table.searchOn' : 'find.more')}
          </WorkButton>
        )
      )}
    </section>
  )
}

/** The time of the order, or of the start of the sale, at which the next page begins. */
function searchedTo(voice: { farMoment(ms: number): string }, next: string): string {
  const { order, sale } = placeInOrders(next) ?? {}
  const at = order?.reservedAt ?? sale?.startsAt
  return at === undefined ? '–' : voice.farMoment(at)
}

/** Shows the dispute, the refunds and the shipment of an order. */
function Marks({ order: { dispute, shipment, ...order } }: { order: FoundOrder }) {
  const { voice } = useView()
  const due = refundSum(order, refundTotal)
  const returned = refundSum(order, returnedBy) ?? 0
  const money = (minor: number) => voice.money(minor, order.currency)
  const disputed = dispute && { name: voice.t('table.dispute'), what: voice.t(`table.dispute.${dispute.state}`) }
  const marks = [
    disputed && voice.t('effect.of', disputed),
    due ? voice.t('find.returned', { returned: money(returned), amount: money(due) }) : undefined,
    shipment && [shipment.carrier, shipment.tracking].filter(Boolean).join(' '),
  ]
  return marks.map((mark) => mark && <small data-mark>{mark}</small>)
}

const returnedBy = ({ returned }: { returned: number }) => returned

/** With the columns of `orders.csv` that the table shows. */
function saveTable(orders: readonly FoundOrder[], name: string): void {
  const headings = [
    ...['orderId', 'orderNumber', 'saleId', 'shopperId', 'quantity', 'variant', 'amount', 'currency'],
    ...['status', 'reservedAt', 'refundDue', 'refundReturned', 'dispute', 'carrier', 'tracking'],
  ]
  const lines = orders.map(({ orderId, orderNumber, saleId, shopperId, quantity, variant, ...order }) => {
    const { amount, currency, reservedAt, dispute, shipment } = order
    const money = (minor: number | undefined) => (minor === undefined ? '' : majorText(minor, currency))
    return [
      ...[orderId, orderNumber, saleId, shopperId, quantity, variant],
      ...[majorText(amount, currency), currency, shownStatus(order), new Date(reservedAt).toISOString()],
      ...[money(refundSum(order, refundTotal)), money(refundSum(order, returnedBy))],
      ...[dispute?.state, shipment?.carrier, shipment?.tracking],
    ]
  })
  void saveFile(new Blob([csvText([headings, ...lines])], { type: 'text/csv' }), `${name}-orders.csv`)
}
