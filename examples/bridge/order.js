/** What an event of Sluice means in the words of the shop: its products, and lines with prices. */

/**
 * @typedef {{ type: string, timestamp: string, data: Record<string, unknown> }} Event
 * @typedef {{ orderId: string, saleId: string, shopperId: string, quantity: number, variant?: string, amount: number, currency: string, revision: number, unitsReturned?: number }} OrderData
 * @typedef {{ saleId: string, quantity: number, units?: Record<string, number>, revision: number }} StockData
 */
/**
 * A product of the shop, with the ids that its API uses.
 * @typedef {{ variantId?: string, inventoryItemId?: string, locationId?: string, productId?: number, variationId?: number }} Product
 * @typedef {{ product?: Product, variants?: Record<string, Product>, paidInShop?: boolean }} Sale
 * @typedef {{ product: Product, quantity: number, unitAmount: number }} OrderLine
 * @typedef {{ product: Product, quantity: number }} Units
 */
/**
 * @typedef {{ orderId: string, shopperId: string, at: string, currency: string, amount: number, lines: OrderLine[] }} NewOrder
 */
/**
 * What the bridge asks of a shop. Each of these may be repeated without a second effect. `note` is what an earlier try
 * has saved; `save` resolves when it is on the disk.
 * @typedef {{ note: Record<string, unknown>, save: (note: Record<string, unknown>) => Promise<void> }} Memory
 * @typedef {object} Shop
 * @property {() => Promise<void>} prepare throws when the shop is not set up
 * @property {(order: NewOrder, memory: Memory) => Promise<string>} create resolves with the id of the order in the shop
 * @property {(id: string) => Promise<void>} end cancels an order; its units are for sale in Sluice
 * @property {(what: string, changes: Units[], memory: Memory) => Promise<void>} adjust changes the stock of the shop once for each name `what`; a quantity may be negative
 */

/** The shop refuses, and would refuse again: a person has to look at it. */
export class Rejected extends Error {}

/** The shop asks for a pause of all calls. */
export class Busy extends Error {
  /** @param {string} message @param {number} waitMs */
  constructor(message, waitMs) {
    super(message)
    this.waitMs = waitMs
  }
}

/**
 * The products of an event, each with its units.
 * @param {Record<string, Sale>} sales
 * @param {string} saleId
 * @param {number} quantity
 * @param {Record<string, number> | undefined} units by variant
 * @returns {Units[]}
 * @throws {Rejected} when the config does not have them
 */
export function unitsIn(sales, saleId, quantity, units) {
  const sale = Object.hasOwn(sales, saleId) ? sales[saleId] : undefined
  const where = `sales.${saleId}`
  if (!sale) throw new Rejected(`the config has no ${where}: add it, and start the bridge again`)
  const wanted = units ? Object.entries(units) : undefined
  if (!wanted) {
    if (!sale.product) throw new Rejected(`the config has no ${where}.product: add it, and start the bridge again`)
    return [{ product: sale.product, quantity }]
  }
  return wanted.map(([variant, count]) => {
    const product = sale.variants?.[variant]
    if (!product) {
      throw new Rejected(`the config has no ${where}.variants.${variant}: add it, and start the bridge again`)
    }
    return { product, quantity: count }
  })
}

/**
 * The units of an order by variant; undefined in a sale without variants.
 * @param {{ quantity: number, variant?: string }} order
 */
export const byVariant = ({ quantity, variant }) => (variant === undefined ? undefined : { [variant]: quantity })

/**
 * Lines that cost exactly `amount` together. Where it cannot be divided, some units cost one minor unit more.
 * @param {Units[]} units
 * @param {number} amount minor units
 * @returns {OrderLine[]}
 */
export function linesOf(units, amount) {
  const quantity = units.reduce((sum, one) => sum + one.quantity, 0)
  const unitAmount = Math.floor(amount / quantity)
  let dearer = amount - unitAmount * quantity
  return units.flatMap(({ product, quantity: count }) => {
    const more = Math.min(dearer, count)
    dearer -= more
    const lines = [
      { product, quantity: more, unitAmount: unitAmount + 1 },
      { product, quantity: count - more, unitAmount },
    ]
    return lines.filter((line) => line.quantity > 0)
  })
}

/** Currencies whose minor unit has not two digits (ISO 4217). `Intl` has other digits for some. */
const codesByDigits = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}

/**
 * 1999 cents as `19.99`.
 * @param {number} amount minor units
 * @param {string} currency
 */
export function decimal(amount, currency) {
  const entry = Object.entries(codesByDigits).find(([, codes]) => codes.split(' ').includes(currency))
  const digits = Number(entry?.[0] ?? 2)
  const text = String(amount).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}
