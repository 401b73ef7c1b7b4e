/** Checks at rest that the console and the shoppers of a visited sale read exactly what was written. */
import { controlApi, type FoundOrder } from '../../../core/api/control-answers.ts'
import type { SaleId } from '../../../core/ids.ts'
import { goodsAmountOf } from '../../../core/orders/bill.ts'
import { formatCoupon } from '../../../core/orders/coupon.ts'
import type { Order } from '../../../core/orders/order.ts'
import { moneyStateOfOrder, shownStatus } from '../../../core/orders/order-standing.ts'
import type { CustomerIssuer } from '../../../core/people/customer-keys.ts'
import { readCustomers, readListVersions } from '../../../redis/gate/shared-lists.ts'
import { packetsInTable } from '../../packets-in-table.ts'
import { findOwnPacket, readAddress, readCheckedWallet, readOwnOrders } from '../actors/account.ts'
import { askConsole } from '../actors/staff.ts'
import type { World } from '../world.ts'

/** Shoppers whose own pages are read. */
const maxPeople = 3

/** Orders on a page of a list: few, so that a sale has several pages. */
const ordersOnPage = 5

/** Reads all views without faults, and reports each difference. */
export async function checkViews(world: World): Promise<void> {
  const orders = world.truth.orders(world.saleId)
  await checkLists(world)
  await checkShop(world)
  await checkAudit(world)
  await checkTables(world, orders)
  await checkNumbers(world, orders)
  await checkOrderLists(world)
  await checkSearches(world)
  await (world.kind === 'red-packet' ? checkWallets(world) : checkAccounts(world, orders))
  await checkAddresses(world)
}

async function read(world: World, path: string, body?: object): Promise<unknown> {
  const answer = await askConsole(world, path, body === undefined ? {} : { method: 'POST', body })
  if (answer.statusCode !== 200) world.violated(`${path} was answered ${answer.statusCode} (console)`)
  return JSON.parse(answer.body)
}

function compare({ violated }: World, what: string, is: readonly string[], should: readonly string[]): void {
  const [shown, known] = [[...is].sort().join(), [...should].sort().join()]
  if (shown !== known) violated(`${what} shows ${shown || 'nothing'} and should show ${known || 'nothing'} (console)`)
}

const idsOf = (orders: readonly Pick<Order, 'orderId'>[]) => orders.map(({ orderId }) => orderId)

/** Returns the objects that visitors have left in place. */
const standing = <Name extends string>(objects: ReadonlyMap<Name, boolean>): Name[] =>
  [...objects].flatMap(([name, isThere]) => (isThere ? [name] : []))

/** Checks all pages of both lists of sales, and searches. */
async function checkLists(world: World): Promise<void> {
  const { saleId, visits } = world
  const others = standing(visits.sales)
  const listed = async (query: string) => {
    const found: SaleId[] = []
    for (let after: string | null = ''; after !== null; ) {
      const cursor = after === '' ? '' : `&after=${after}`
      const page = controlApi.listSales.answer.parse(await read(world, `sales?limit=1&numbers=true${query}${cursor}`))
      found.push(...page.sales.map((sale) => sale.saleId))
      after = page.next
    }
    return found
  }
  compare(world, 'the list of sales', await listed(''), [saleId, ...others])
  compare(world, 'the list of archived sales', await listed('&archived=true'), [])
  compare(world, 'a search by title', await listed('&find=lamp'), [saleId])
  const own = await listed(`&find=${saleId}-draft&state=scheduled`)
  for (const id of own) if (visits.sales.get(id) !== true) world.violated(`a search finds the deleted ${id} (console)`)
  for (const [id, isThere] of visits.sales) {
    const { statusCode } = await askConsole(world, `sales/${id}`)
    if ((statusCode === 200) !== isThere) world.violated(`${id} was answered ${statusCode} (console)`)
  }
}

/** Checks brand, block list, issuers and databases. */
async function checkShop(world: World): Promise<void> {
  const { visits, simulation } = world
  const { revision, brand } = controlApi.getBrand.answer.parse(await read(world, 'brand'))
  const named = visits.brands.get(revision)
  if (named !== undefined && brand.name !== named) world.violated(`the shop is ${brand.name}, not ${named} (console)`)
  if (Math.max(0, ...visits.brands.keys()) > revision) world.violated(`the brand went back to ${revision} (console)`)
  const { entries } = controlApi.listBlocks.answer.parse(await read(world, 'blocklist'))
  const rude = entries.flatMap(({ value }) => (visits.blocked.has(value) ? [value] : []))
  compare(world, 'the block list', rude, standing(visits.blocked))
  const { issuers } = controlApi.listCustomerIssuers.answer.parse(await read(world, 'customer-issuers'))
  const names = issuers.map(({ name }) => name)
  compare(world, 'the list of issuers of customers', names, standing(visits.issuers))
  const atGate = await simulation.runExclusively(() => issuersAtGate(world))
  compare(world, 'the list of issuers at the gate', atGate, standing(visits.issuers))
  const { databases } = controlApi.listDatabases.answer.parse(await read(world, 'databases'))
  if (databases.length !== world.shards) world.violated(`${databases.length} databases are listed (console)`)
}

async function issuersAtGate({ redis }: World): Promise<readonly string[]> {
  const { customers } = await readListVersions(redis)
  const text = customers === '' ? '[]' : ((await readCustomers(redis, customers)) ?? '[]')
  const issuers: readonly CustomerIssuer[] = JSON.parse(text)
  return issuers.map(({ name }) => name)
}

/** Checks that each answered change is in the audit, with its author. */
async function checkAudit(world: World): Promise<void> {
  const { saleId, visits, simulation, violated } = world
  const now = simulation.now()
  const entries: Awaited<ReturnType<typeof auditOf>> = []
  for (let at = (await world.sale()).createdAt; at < now + dayMs; at += dayMs)
    entries.push(...(await auditOf(world, at)))
  const has = (what: string, is: (entry: (typeof entries)[number]) => boolean, name: string) => {
    const found = entries.find((entry) => entry.what === what && is(entry))
    if (found === undefined) return violated(`the audit has no ${what} of ${name} (console)`)
    if (found.who !== 'marketer' || found.role !== 'marketer')
      violated(`${what} was recorded by ${found.who} (console)`)
  }
  has('create', (entry) => entry.saleId === saleId, saleId)
  for (const [id, isThere] of visits.sales) {
    has(isThere ? 'create' : 'delete', (entry) => entry.saleId === id, id)
  }
  for (const name of visits.brands.values()) has('brand', ({ after }) => after?.name === name, name)
  for (const [name, isThere] of visits.issuers) {
    const [what, field] = isThere
      ? (['save-customer-issuer', 'after'] as const)
      : (['delete-customer-issuer', 'before'] as const)
    has(what, (entry) => entry[field]?.issuerName === name, name)
  }
}

const dayMs = 86_400_000

async function auditOf(world: World, at: number) {
  const day = new Date(at).toISOString().slice(0, 10)
  return [...controlApi.getAudit.answer.parse(await read(world, `audit?day=${day}`)).entries]
}

/** Checks the CSV tables, whole and in parts. */
async function checkTables(world: World, orders: readonly Order[]): Promise<void> {
  const { kind, saleId, truth } = world
  const rowsOf = async (name: string) => {
    const { statusCode, body } = await askConsole(world, `sales/${saleId}/${name}.csv?after=`)
    return statusCode === 200
      ? body
          .split('\r\n')
          .slice(1)
          .map((line) => line.split(','))
      : []
  }
  const ids = (await rowsOf('orders')).flatMap(([orderId = '']) => (orderId === '' ? [] : [orderId]))
  compare(world, 'the table of orders', ids, idsOf(orders))
  const [first] = ids
  if (first !== undefined) {
    const { body } = await askConsole(world, `sales/${saleId}/orders.csv?after=${first}`)
    compare(
      world,
      'the rest of the table',
      body.split('\r\n').flatMap((line) => line.split(',')[0] || []),
      ids.slice(1),
    )
  }
  const packets = (await rowsOf('packets')).flatMap(([packetId = '', shopperId]) =>
    shopperId ? [`${packetId} ${shopperId}`] : [],
  )
  const credits = (await packetsInTable(truth, await world.sale()))?.credits ?? []
  compare(
    world,
    'the table of packets',
    packets,
    credits.map(({ packetId, shopperId }) => `${packetId} ${shopperId}`),
  )
  if (kind !== 'coupon') return
  const redeemed = (await rowsOf('coupons')).flatMap(([code = '', , , status]) => (status === 'redeemed' ? [code] : []))
  compare(world, 'the table of coupons', redeemed, redeemedCodes(orders))
}

function redeemedCodes(orders: readonly Order[]): string[] {
  const standing = orders.flatMap(({ redemptions = [] }) =>
    redemptions.filter(({ undoneAt }) => undoneAt === undefined),
  )
  return standing.map(({ code }) => formatCoupon(code))
}

/** Checks that the live numbers match the orders. */
async function checkNumbers(world: World, orders: readonly Order[]): Promise<void> {
  const { saleId, kind, violated } = world
  const { paid, redeemed, unavailable } = controlApi.getLive.answer.parse(await read(world, `sales/${saleId}/live`))
  if (unavailable.length > 0) violated(`${unavailable.join()} did not answer (console)`)
  const same = (what: string, is: unknown, should: unknown) => {
    if (is !== should) violated(`${what} is ${is} and should be ${should} (console)`)
  }
  if (kind === 'goods') {
    const sold = orders.filter((order) => moneyStateOfOrder(order) === 'paid')
    const sale = await world.sale()
    same('the number of paid orders', paid?.orders, sold.length)
    const sum = sold.reduce((total, { amount }) => total + amount, 0)
    same('the amount of paid orders', paid?.amount, sum)
    for (const order of orders.filter(({ status }) => status !== 'rejected')) {
      same(`the currency of ${order.orderId}`, order.currency, sale.currency)
      same(`the price of ${order.orderId}`, goodsAmountOf(order), order.quantity * sale.price)
    }
  }
  if (kind === 'coupon') same('the number of redeemed coupons', redeemed, redeemedCodes(orders).length)
}

/** Checks that the lists of orders, of one sale and of all, have each order once, with a unique number. */
async function checkOrderLists(world: World): Promise<void> {
  const listed = async (query: string) => {
    const orders: FoundOrder[] = []
    for (let after: string | null = ''; after !== null; ) {
      const cursor = after === '' ? '' : `&after=${encodeURIComponent(after)}`
      const page = controlApi.listAllOrders.answer.parse(
        await read(world, `orders?limit=${ordersOnPage}${query}${cursor}`),
      )
      orders.push(...page.orders)
      after = page.next
    }
    return orders
  }
  const own = world.truth.orders(world.saleId)
  compare(world, 'the list of orders', idsOf(await listed(`&sale=${world.saleId}`)), idsOf(own))
  const status = own[0] && shownStatus(own[0])
  if (status !== undefined) {
    const ofStatus = idsOf(own.filter((order) => shownStatus(order) === status))
    const shown = idsOf(await listed(`&sale=${world.saleId}&status=${status}`))
    compare(world, `the list of ${status} orders`, shown, ofStatus)
  }
  const disputed = idsOf(own.filter(({ dispute }) => dispute?.state === 'open'))
  compare(world, 'the list of disputed orders', idsOf(await listed(`&sale=${world.saleId}&dispute=open`)), disputed)
  const variant = own[0]?.variant
  if (variant !== undefined) {
    const ofVariant = idsOf(own.filter((order) => order.variant === variant))
    const shown = idsOf(await listed(`&sale=${world.saleId}&variant=${variant}`))
    compare(world, `the list of orders of ${variant}`, shown, ofVariant)
  }
  const all = [world, ...world.others].flatMap(({ truth, saleId }) => truth.orders(saleId))
  const shown = await listed('')
  compare(world, 'the list of all orders', idsOf(shown), idsOf(all))
  const numbers = shown.flatMap(({ orderNumber }) => orderNumber ?? [])
  if (new Set(numbers).size !== numbers.length) world.violated('two orders have one number (console)')
}

/**
 * Checks that searches find an order by number, id, shopper, and the shopper's email address; packets are only in the
 * wallet.
 */
async function checkSearches(world: World): Promise<void> {
  const all = [world, ...world.others].flatMap(({ truth, saleId }) => truth.orders(saleId))
  const orders = all.filter(({ packet }) => packet === undefined)
  const found = async (find: string) => {
    const ids: string[] = []
    for (let after: string | null = ''; after !== null; ) {
      const asked = { find, ...(after !== '' && { after }) }
      const page = controlApi.findOrders.answer.parse(await read(world, 'orders/find', asked))
      ids.push(...idsOf(page.orders))
      after = page.next
    }
    return ids
  }
  const byShopper = Map.groupBy(orders, ({ shopperId }) => shopperId)
  for (const [shopperId, own] of [...byShopper].slice(0, maxPeople)) {
    const ids = idsOf(own)
    compare(world, `a search for ${shopperId}`, await found(shopperId), ids)
    const asked = { find: ids[0], shopper: true }
    const page = controlApi.findOrders.answer.parse(await read(world, 'orders/find', asked))
    if (page.shopper?.shopperId !== shopperId || page.orders[0]?.orderId !== ids[0])
      world.violated(`the shopper behind order ${ids[0]} is not ${shopperId}`)
    for (const id of ids.slice(0, 1)) compare(world, `a search for ${id}`, await found(id), [id])
    const [first] = own
    if (first?.orderNumber !== undefined)
      compare(world, `a search for ${first.orderNumber}`, await found(first.orderNumber), [first.orderId])
  }
  for (const [shopperId, email] of [...world.visits.emails].slice(0, maxPeople)) {
    if (email === undefined) continue
    const ids = idsOf(byShopper.get(shopperId) ?? [])
    compare(world, `a search for ${email}`, await found(email.toUpperCase()), ids)
  }
}

/** Checks that each shopper sees all of their orders, and no others. */
async function checkAccounts(world: World, orders: readonly Order[]): Promise<void> {
  const byShopper = Map.groupBy(orders, ({ shopperId }) => shopperId)
  const few = [...byShopper].sort(([, a], [, b]) => b.length - a.length).slice(0, maxPeople)
  for (const [shopperId, own] of few) {
    const ids = idsOf(own)
    for (const ofSale of [true, false]) {
      const shown = await readOwnOrders(world, shopperId, { limit: 2, ofSale })
      compare(world, `the list of ${shopperId}`, idsOf(shown), ids)
    }
  }
}

/** Checks that a wallet has the same packet as the shopper's search. */
async function checkWallets(world: World): Promise<void> {
  const winners = [...world.packets.claimed.values()].slice(0, maxPeople)
  for (const { shopperId } of winners) {
    const credits = await readCheckedWallet(world, shopperId)
    const own = credits.find(({ saleId }) => saleId === world.saleId)?.packetId
    const found = await findOwnPacket(world, shopperId)
    if (found !== own) world.violated(`${shopperId} has ${own}, and a look-up shows ${found} (I2)`)
  }
}

/** Checks that an order has the last address of its shopper, also in the CSV table. */
async function checkAddresses(world: World): Promise<void> {
  const { visits, truth, violated } = world
  for (const { saleId } of world.others) {
    const { body: table } = await askConsole(world, `sales/${saleId}/orders.csv?after=`)
    for (const { orderId, shopperId } of truth.orders(saleId)) {
      const should = visits.recipients.get(orderId)
      const { delivery } = await readAddress(world, shopperId, orderId)
      if (delivery?.name !== should)
        violated(`${orderId} goes to ${delivery?.name} and should go to ${should} (delivery)`)
      const row = table.split('\r\n').find((line) => line.startsWith(orderId)) ?? ''
      if (row.includes('Torstraße') !== (should !== undefined)) violated(`the row of ${orderId} is ${row} (delivery)`)
    }
  }
}
