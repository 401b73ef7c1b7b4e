/** Defects that once survived all tests. They are tried in every trial, whatever the seed draws. */

type Named = { file: string; search: string; replacement: string }

const byName: Readonly<Record<string, Named>> = {
  'each request that waited for a failed refresh reads the store itself': {
    file: 'edge/memory/refreshing-cache.ts',
    search: 'flight ?? startRead(false)',
    replacement: 'startRead(false)',
  },
  'the pass of any shopper is accepted': {
    file: 'edge/checks/pass.ts',
    search: 'return pass.shopperHash === shopperHashOf(shopperId) ? next() : answerWith(c, noPass)',
    replacement: 'return next()',
  },
  'the second look of the balancer is the first': {
    file: 'functions/sales/balancer.ts',
    search: 'const again = await readSplitStock(ports, saleId)',
    replacement: 'const again = split',
  },
  'seven of eight shoppers belong to one shard': {
    file: 'core/stock/hash-slot.ts',
    search: 'return slotOf(shopperId) % shardCount',
    replacement: 'return slotOf(shopperId) % 8 < 7 ? 0 : slotOf(shopperId) % shardCount',
  },
  'a variant that a shard has not left is sold out at the gate': {
    file: 'redis/buy/reserve.ts',
    search: 'remaining: -1, soldOutVariant: undefined }',
    replacement: 'remaining: -1 }',
  },
  'a repeat on a split stock says what one shard has left': {
    file: 'redis/buy/reserve.ts',
    search: "return 'remaining' in reservation ? { ...reservation, remaining: -1 } : reservation",
    replacement: 'return reservation',
  },
  'a sale is sold out while units are held back': {
    file: 'functions/buy/dispatch-order.ts',
    search: 'remaining === 0 && !holdsBack',
    replacement: 'remaining === 0',
  },
  'a resent message takes the admission of its order away': {
    file: 'functions/orders/read-messages.ts',
    search: 'before?.admitted ?? made.value.admitted',
    replacement: 'made.value.admitted',
  },
  'a resend is not noted in the stock': {
    file: 'redis/orders/claim-due.lua',
    search: "redis.call('HSET', KEYS[2], 'resentAt', ARGV[1])",
    replacement: '',
  },
  'a pass may expire at any time': {
    file: 'edge/memory/passes.ts',
    search: ' || leftSeconds > passLifeSeconds + clockSlackSeconds',
    replacement: '',
  },
  'a pass without a proof proves the session': {
    file: 'edge/constant-time.ts',
    search: 'return a.length === b.length && timingSafeEqual(a, b)',
    replacement: 'return b.length === 0 || (a.length === b.length && timingSafeEqual(a, b))',
  },
  'the proof of a session is that of any token': {
    file: 'edge/memory/passes.ts',
    search: '[head, digest, keyId]',
    replacement: '[head, keyId]',
  },
  'the proof of a session is that of any key': {
    file: 'edge/memory/passes.ts',
    search: '[head, digest, keyId]',
    replacement: '[head, digest]',
  },
  'the key of a pass is enough to prove a session': {
    file: 'edge/memory/passes.ts',
    search: '[secret, key]',
    replacement: '[key]',
  },
  'connections that a pause has closed are kept': {
    file: 'redis/post.ts',
    search: 'for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy()',
    replacement: '',
  },
  'the restock is published before its admissions': {
    file: 'functions/sales/balance-shards.ts',
    search: `      await replenishAdmissions(ports, saleId)
      await publishRestocked(gate, saleId, revision)`,
    replacement: `      await publishRestocked(gate, saleId, revision)
      await replenishAdmissions(ports, saleId)`,
  },
}

export const namedMutants = Object.entries(byName).map(([name, defect]) => ({ name, ...defect }))
