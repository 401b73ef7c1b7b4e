/** Shows the table of orders, or a shopper with all orders. */
import { useEffect, useState } from 'preact/hooks'
import type { FoundOrder } from '../../core/api/control-answers.ts'
import type { FoundShopper } from '../../core/api/found-shopper.ts'
import { parseOrderId, parseShopperId, type ShopperId } from '../../core/ids.ts'
import { plainText } from '../../core/lib/text.ts'
import { parseOrderNumber } from '../../core/orders/order-number.ts'
import { control } from '../api.ts'
import { useEntryForm } from '../parts/entry-form.ts'
import { Form, SubmitButton, TextField, verbatim } from '../parts/field.tsx'
import { Pending } from '../parts/pending.tsx'
import { useView } from '../view.ts'
import { OrderCard } from './order-card.tsx'
import { OrderTable } from './order-table.tsx'
import { addressOfOrders, type OrdersAsked, parseOrdersQuery } from './orders-address.ts'
import { PersonPanel, ShopperPanel } from './shopper-panel.tsx'

/** `wanted` is the search text in the address, empty for the table; `query` has the filters of the table. */
export function Orders({ wanted, query }: { wanted: string; query: string }) {
  const { voice, may } = useView()
  const asked = parseOrdersQuery(query)
  return (
    <>
      <h1>{voice.t('console.orders')}</h1>
      {may('findOrders') && <FindForm {...{ wanted, asked }} />}
      {wanted === '' ? <OrderTable first={asked} /> : <FoundOrders wanted={wanted} />}
    </>
  )
}

function FoundOrders({ wanted }: { wanted: string }) {
  const { voice, may, announce, explain, isLeft } = useView()
  const [orders, setOrders] = useState<readonly FoundOrder[]>()
  const [next, setNext] = useState<string | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const [shopper, setShopper] = useState<FoundShopper>()
  const [shoppers, setShoppers] = useState<readonly ShopperId[]>([])

  async function look(after?: string): Promise<void> {
    setNext(null)
    // With the first page comes the rest of the shopper.
    const body = after === undefined ? { find: wanted, shopper: true } : { find: shopper?.shopperId ?? wanted, after }
    const answer = await control.findOrders({ body })
    if (isLeft()) return
    setFailed(!answer.ok)
    if (!answer.ok) {
      setNext(after ?? null)
      return void explain(answer.reply)
    }
    announce('')
    const { orders: found, next: more, shopper: one, shoppers: several = [] } = answer.value
    // The order that was asked for is shown first, and comes once more where it stands in the list.
    setOrders((shown = []) => [
      ...shown,
      ...found.filter(({ orderId }) => !shown.some((one) => one.orderId === orderId)),
    ])
    setNext(more)
    if (after !== undefined) return
    setShopper(one)
    setShoppers(several)
  }

  /** Reads the order again and keeps the announcement. */
  async function refresh({ orderId }: FoundOrder): Promise<void> {
    const answer = await control.findOrders({ body: { find: orderId } })
    const [now] = answer.ok ? answer.value.orders : []
    if (now !== undefined) setOrders((shown) => shown?.map((one) => (one.orderId === orderId ? now : one)))
  }

  const cardOf = (order: FoundOrder) => (
    <OrderCard
      key={order.orderId}
      {...{ order, delivery: shopper?.deliveries?.find(({ orderId }) => orderId === order.orderId) }}
      changed={() => void refresh(order)}
    />
  )
  /** An order that was asked for stands before its shopper, and the others after. */
  const asked = [parseOrderId, parseOrderNumber].some((parse) => parse(wanted) !== undefined) ? 1 : 0

  useEffect(() => void look(), [])
  return (
    <div id="found">
      {orders === undefined && <Pending {...{ hasFailed }} again={() => look()} />}
      {shoppers.length > 0 && <SeveralShoppers shoppers={shoppers} />}
      {orders?.slice(0, asked).map(cardOf)}
      {shopper !== undefined && (
        <ShopperPanel
          shopper={shopper}
          orders={(orders ?? []).filter(({ shopperId }) => shopperId === shopper.shopperId)}
        />
      )}
      {orders?.length === 0 && next === null && (
        <p class="empty">
          {voice.t('find.none')}{' '}
          <a href={addressOfOrders({ name: wanted })}>{voice.t('find.byName', { name: wanted })}</a>
        </p>
      )}
      {orders?.slice(asked).map(cardOf)}
      {next !== null && (
        <button type="button" class="button" id="more-orders" onClick={() => void look(next)}>
          {voice.t('find.more')}
        </button>
      )}
      {shopper !== undefined && may('erasePerson') && <PersonPanel shopperId={shopper.shopperId} />}
    </div>
  )
}

function SeveralShoppers({ shoppers }: { shoppers: readonly ShopperId[] }) {
  const { voice } = useView()
  return (
    <section class="panel" id="shoppers">
      <p>{voice.t('shopper.several')}</p>
      <ul>
        {shoppers.map((shopperId) => (
          <li key={shopperId}>
            <a href={`#/orders/${encodeURIComponent(shopperId)}`}>{shopperId}</a>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The search form. Text that is no order number, email address or id filters the table by name. */
function FindForm({ wanted, asked }: { wanted: string; asked: OrdersAsked }) {
  const { voice, go } = useView()
  const [texts, setTexts] = useState({ find: wanted || (asked.name ?? '') })
  const words = { label: voice.t('find.label'), hint: voice.t('find.hint') }
  const { complain, input } = useEntryForm('', () => words, texts, setTexts)

  function submit(): void {
    const find = plainText(texts.find)
    const isId = [parseOrderId, parseOrderNumber, parseShopperId].some((parse) => parse(find) !== undefined)
    if (isId) go(`#/orders/${encodeURIComponent(find)}`)
    else if (/[\p{L}\p{N}]/u.test(find)) go(addressOfOrders({ ...asked, name: find }))
    else complain('find', voice.t('find.wrong'))
  }
  return (
    <section class="panel">
      <Form class="refund" id="find-form" submit={submit}>
        <TextField {...input('find')} {...verbatim} />
        <SubmitButton id="find">{voice.t('find.do')}</SubmitButton>
      </Form>
    </section>
  )
}
