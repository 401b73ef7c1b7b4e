/** The input of the bridge: a config file, and secrets in the environment. */

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
  const { kind, url, locationId = '', version = '2026-10', timeoutSeconds = 30 } = shop
  const { host = '127.0.0.1', port = 3000 } = listen
  const isShopify = kind === 'shopify'
  // Twenty calls of Shopify are two seconds of its points; four are what a small WooCommerce answers well.
  const { atOnce = isShopify ? 20 : 4 } = shop
  /** @type {string[]} */
  const wrong = []
  /** @param {unknown} holds @param {string} text */
  const check = (holds, text) => void (holds || wrong.push(text))
  /** @param {string} type @param {unknown} id */
  const isGid = (type, id) => new RegExp(`^gid://shopify/${type}/\\d+$`).test(String(id))

  check(isShopify || kind === 'woocommerce', 'shop.kind is neither "shopify" nor "woocommerce"')
  check(/^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1)(?=[:/]|$))/.test(url), 'shop.url is not an https address')
  check(!isShopify || isGid('Location', locationId), 'shop.locationId is not gid://shopify/Location/…')
  for (const [name, value] of Object.entries({ port, atOnce, timeoutSeconds })) {
    check(Number.isInteger(value) && value > 0, `${name} is not a whole number above 0`)
  }
  check(typeof journal === 'string' && journal !== '', 'journal is not the name of a file')
  check(Object.keys(sales).length > 0, 'sales has no sale')
  for (const [saleId, { product, variants = {}, paidInShop }] of Object.entries(sales)) {
    const products = Object.entries({ ...variants, ...(product && { product }) })
    check(products.length > 0 || paidInShop === true, `sales.${saleId} has neither product nor variants`)
    for (const [name, one] of products) {
      const fits = isShopify
        ? isGid('ProductVariant', one.variantId) && isGid('InventoryItem', one.inventoryItemId)
        : Number.isInteger(one.productId)
      const needed = isShopify ? 'variantId and inventoryItemId' : 'productId'
      check(fits, `sales.${saleId}: ${name} needs ${needed}`)
    }
  }
  const { EVENTS_SECRET: events = '', SHOPIFY_TOKEN: token = '' } = env
  const { WOOCOMMERCE_KEY: key = '', WOOCOMMERCE_SECRET: secret = '' } = env
  check(events.startsWith('whsec_'), 'EVENTS_SECRET of the environment is not whsec_…')
  check(!isShopify || token, 'the environment has no SHOPIFY_TOKEN')
  check(isShopify || (key && secret), 'the environment has no WOOCOMMERCE_KEY or no WOOCOMMERCE_SECRET')
  if (wrong.length > 0) throw new Error(`The config cannot be used:\n  ${wrong.join('\n  ')}`)
  return {
    config: {
      ...{ kind, url: url.replace(/\/$/, ''), locationId, version, timeoutSeconds, atOnce },
      ...{ host, port, journal, sales },
    },
    secrets: { events, token, key, secret },
  }
}
