/** Puts the parts together. */
import { openJournal } from './journal.js'
import { Rejected } from './order.js'
import { createReceiver } from './receive.js'
import { createShopify } from './shopify.js'
import { createWooCommerce } from './woocommerce.js'
import { createWorker } from './worker.js'

/**
 * @typedef {object} Config
 * @property {'shopify' | 'woocommerce'} kind
 * @property {string} url of the shop
 * @property {string} journal the file
 * @property {string} host
 * @property {number} port
 * @property {string} version of Shopify's API
 * @property {string} locationId of Shopify
 * @property {number} atOnce how many orders are worked on at once
 * @property {number} timeoutSeconds
 * @property {Record<string, import('./order.js').Sale>} sales
 */
/** @typedef {{ events: string, token: string, key: string, secret: string }} Secrets */

/**
 * Reads the config and the environment.
 * @param {any} given @param {Record<string, string | undefined>} env
 * @returns {{ config: Config, secrets: Secrets }}
 * @throws with every field that is missing or wrong
 */
export function readConfig(given, env) {
  const { shop = {}, listen = {}, sales = {}, journal } = given
  /** @type {string[]} */
  const wrong = []
  /** @param {unknown} holds @param {string} text */
  const check = (holds, text) => void (holds || wrong.push(text))
  const isShopify = shop.kind === 'shopify'
  check(isShopify || shop.kind === 'woocommerce', 'shop.kind is neither "shopify" nor "woocommerce"')
  const isUrl =
    typeof shop.url === 'string' && /^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1)[:/]?)/.test(shop.url)
  check(isUrl, 'shop.url is not an https address')
  check(typeof journal === 'string' && journal !== '', 'journal is not the name of a file')
  check(
    !isShopify || /^gid:\/\/shopify\/Location\/\d+$/.test(shop.locationId),
    'shop.locationId is not gid://shopify/Location/…',
  )
  check(Object.keys(sales).length > 0, 'sales has no sale')
  for (const [saleId, { product, variants = {}, paidInShop }] of Object.entries(sales)) {
    check(
      product || Object.keys(variants).length > 0 || paidInShop === true,
      `sales.${saleId} has neither product nor variants`,
    )
    for (const [name, one] of Object.entries({ ...variants, ...(product && { product }) })) {
      const fits = isShopify
        ? /^gid:\/\/shopify\/ProductVariant\/\d+$/.test(one.variantId) &&
          /^gid:\/\/shopify\/InventoryItem\/\d+$/.test(one.inventoryItemId)
        : Number.isInteger(one.productId)
      const needed = isShopify ? 'variantId and inventoryItemId' : 'productId'
      check(fits, `sales.${saleId}: ${name} needs ${needed}`)
    }
  }
  const names = [
    'EVENTS_SECRET',
    ...(isShopify ? ['SHOPIFY_TOKEN'] : ['WOOCOMMERCE_KEY', 'WOOCOMMERCE_SECRET']),
  ]
  for (const name of names) check(env[name], `the environment has no ${name}`)
  if (wrong.length > 0) throw new Error(`The config cannot be used:\n  ${wrong.join('\n  ')}`)
  const { EVENTS_SECRET: events = '', SHOPIFY_TOKEN: token = '' } = env
  const { WOOCOMMERCE_KEY: key = '', WOOCOMMERCE_SECRET: secret = '' } = env
  return {
    config: {
      ...{ kind: shop.kind, url: shop.url.replace(/\/$/, ''), journal, sales },
      ...{ host: listen.host ?? '127.0.0.1', port: listen.port ?? 3000 },
      ...{ version: shop.version ?? '2026-10', locationId: shop.locationId ?? '' },
      // Twenty calls of Shopify are two seconds of its points; four are what a small WooCommerce answers well.
      ...{ atOnce: shop.atOnce ?? (isShopify ? 20 : 4), timeoutSeconds: shop.timeoutSeconds ?? 30 },
    },
    secrets: { events, token, key, secret },
  }
}

/**
 * Takes events at once, and works on them when the shop is ready. `fail` is called when the journal cannot be written:
 * then the process has to end, and the next one reads what is on the disk.
 * @param {Config} config @param {Secrets} secrets
 * @param {{ clock: import('./pace.js').Clock, log: (line: string) => void, fail: (failure: unknown) => void }} ports
 */
export async function startBridge(config, secrets, { clock, log, fail }) {
  const shop =
    config.kind === 'shopify'
      ? createShopify(config, secrets.token, clock)
      : createWooCommerce(config, secrets.key, secrets.secret, clock)
  /** @type {ReturnType<typeof createWorker> | undefined} */
  let worker
  const server = createReceiver({
    ...{ secret: secrets.events, now: () => Date.now(), log },
    accept: async (id, event) => {
      if (!worker) throw new Error('the journal is still being read')
      await worker.accept(id, event)
    },
    health: () => worker?.health() ?? {},
  })
  // The port comes first: a second bridge on this machine ends here, before it touches the journal.
  await /** @type {Promise<void>} */ (
    new Promise((resolve, reject) => server.once('error', reject).listen(config.port, config.host, resolve))
  )
  const journal = await openJournal(config.journal, clock.now)
  worker = createWorker({
    ...{ journal, shop, clock, log, fail },
    sales: config.sales,
    atOnce: config.atOnce,
  })
  log(`Events are taken at http://${config.host}:${config.port}/events; ${journal.entries.size} are waiting.`)
  for (;;) {
    try {
      await shop.prepare()
      break
    } catch (failure) {
      if (failure instanceof Rejected) throw failure
      log(
        `The shop is not ready, and is asked again in 10 s: ${failure instanceof Error ? failure.message : failure}`,
      )
      await clock.sleep(10_000)
    }
  }
  worker.start()
  return { server, journal }
}
