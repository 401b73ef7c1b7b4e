/** Puts the parts together. */
import { openJournal } from './journal.js'
import { Rejected } from './order.js'
import { createReceiver } from './receive.js'
import { createShopify } from './shopify.js'
import { createWooCommerce } from './woocommerce.js'
import { createWorker } from './worker.js'

/** @typedef {import('./config.js').Config} Config @typedef {import('./config.js').Secrets} Secrets */

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
      log(`The shop is not ready, and is asked again in 10 s: ${failure instanceof Error ? failure.message : failure}`)
      await clock.sleep(10_000)
    }
  }
  worker.start()
  return { server, journal }
}
