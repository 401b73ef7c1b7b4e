/** Payouts of wallets: what a shopper gets, and what an attacker does not. */
import { afterEach, describe, expect, it } from 'vitest'
import type { Payout, PayoutProvider } from '../../../functions/lib/shop/payout-provider.ts'
import { providerNames } from '../../../functions/orders/payments/choose.ts'
import { stripePayouts } from '../../../functions/orders/payments/payout-provider.stripe.ts'
import { duePayouts, endPayout, findWithdrawable, keepPayoutAccount } from '../../../functions/table/packets/payouts.ts'
import { type Fate, payoutRig, shopperNamed, startOfPayouts } from './payout-rig.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const ann = shopperNamed('ann')
const euros = { currency: 'EUR' }

async function open(...[name, fateOf]: Parameters<typeof payoutRig>) {
  const rig = await payoutRig(name, fateOf)
  stops.push(rig.stop)
  return rig
}

/** Ann has 12.30 and, where the provider has accounts, one. */
async function annReady(...given: Parameters<typeof payoutRig>) {
  const rig = await open(...given)
  await rig.credit(ann, 1230)
  if (given[0] === 'stripe') {
    const { body } = await rig.ask('ann', euros)
    await rig.openAccount(body.url)
  }
  return rig
}

describe.each(providerNames)('a withdrawal by the %s provider', (name) => {
  it('pays all of the balance, once (N5)', async () => {
    const rig = await annReady(name)
    const answer = await rig.ask('ann', euros)
    expect(answer).toMatchObject({
      status: 200,
      body: { payout: { amount: 1230, currency: 'EUR', state: 'paid', requestedAt: startOfPayouts } },
    })
    expect(await rig.balanceOf(ann)).toBe(0)
    expect(await rig.ask('ann', euros)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await rig.reconcile()).toBe(0)
    if (name === 'stripe') {
      expect(rig.provider.connect.transfers).toMatchObject([{ amount: 1230, currency: 'eur' }])
    }
  })

  it('waits while the provider does not answer, and is repeated until it is paid (N5, O8)', async () => {
    let fate: Fate = 'answered'
    const rig = await annReady(name, () => fate)
    fate = 'lost'
    // The account cannot be looked up, so nothing was taken.
    if (name === 'stripe') {
      await expect(rig.ask('ann', euros)).rejects.toThrow('Stripe did not')
      expect(await rig.balanceOf(ann)).toBe(1230)
    }
    const ready = {
      ...rig.ports.payoutProvider,
      account: async () => ({ kind: 'ready' as const, ...accountIn(rig) }),
    }
    const answer = await rig.ask('ann', euros, { payoutProvider: ready })
    expect(answer.body.payout.state).toBe('requested')
    expect(await rig.balanceOf(ann)).toBe(0)
    expect(rig.telemetry.counted('SettlementFailed')).toBe(1)
    expect(await rig.reconcile()).toBe(0)
    // Meanwhile the shopper sees the payout that is under way, and no other begins.
    await rig.credit(ann, 500)
    expect((await rig.ask('ann', euros, { payoutProvider: ready })).body.payout).toEqual(answer.body.payout)
    fate = 'answered'
    expect(await rig.reconcile()).toBe(1)
    expect(await rig.reconcile()).toBe(0)
    if (name === 'stripe') expect(rig.provider.connect.transfers).toHaveLength(1)
    expect(await rig.balanceOf(ann)).toBe(500)
  })
})

function accountIn({ provider }: Awaited<ReturnType<typeof payoutRig>>): { account?: string } {
  const [account] = provider.connect.accounts.keys()
  return account === undefined ? {} : { account }
}

describe('a withdrawal by Stripe', () => {
  it('first sends the shopper to open an account, and takes nothing (N5)', async () => {
    const rig = await open('stripe')
    await rig.credit(ann, 1230)
    const first = await rig.ask('ann', euros)
    expect(first).toMatchObject({ status: 200, body: { url: expect.stringContaining('/account/acct_') } })
    expect(await rig.ask('ann', euros), 'the same account').toEqual(first)
    expect(await rig.balanceOf(ann)).toBe(1230)
    expect(rig.provider.connect.accounts.size).toBe(1)
    await rig.openAccount(first.body.url)
    expect((await rig.ask('ann', euros)).body.payout.state).toBe('paid')
  })

  it('gives the money back when the account cannot receive it, and says what to do (N5)', async () => {
    const rig = await annReady('stripe', (path) => {
      if (path.startsWith('/v1/transfers')) close()
      return 'answered'
    })
    function close() {
      for (const account of rig.provider.connect.accounts.values()) account.capabilities.transfers = 'inactive'
    }
    const refused = await rig.ask('ann', euros)
    expect(refused.body.payout).toMatchObject({ state: 'refused', reason: 'account' })
    expect(await rig.balanceOf(ann)).toBe(1230)
    expect((await rig.ask('ann', euros)).body.url, 'the page that completes the account').toContain('acct_')
    const { body } = await rig.look('ann')
    expect(body.statement).toMatchObject([
      { kind: 'returned', amount: 1230, balance: 1230, reason: 'account' },
      { kind: 'payout', amount: -1230, balance: 0, state: 'refused' },
      { kind: 'credit', amount: 1230, balance: 1230 },
    ])
  })

  it('opens another account when the known one is gone at Stripe, and pays to that one (N5)', async () => {
    const rig = await annReady('stripe')
    const { accounts, transfers } = rig.provider.connect
    const [gone = ''] = accounts.keys()
    accounts.delete(gone)
    const first = await rig.ask('ann', euros)
    expect(first).toMatchObject({ status: 200, body: { url: expect.stringContaining('/account/acct_') } })
    expect(await rig.ask('ann', euros), 'the same account').toEqual(first)
    const [opened = ''] = accounts.keys()
    expect(accounts.size).toBe(1)
    expect(opened).not.toBe(gone)
    expect(await rig.balanceOf(ann)).toBe(1230)
    await rig.openAccount(first.body.url)
    expect((await rig.ask('ann', euros)).body.payout.state).toBe('paid')
    expect(transfers).toMatchObject([{ amount: 1230, destination: opened }])
  })

  it('pays to the account that another device recorded while this one opened its own (I5)', async () => {
    const rig = await annReady('simulated')
    const paidTo: unknown[] = []
    const payoutProvider: PayoutProvider = {
      async account(shopperId, known) {
        if (known !== undefined) return { kind: 'ready', account: known }
        await keepPayoutAccount(rig.table.table, shopperId, 'acct_recorded', undefined)
        return { kind: 'ready', account: 'acct_of_this_device' }
      },
      async payOut({ account }) {
        paidTo.push(account)
        return { kind: 'paid' }
      },
    }
    expect((await rig.ask('ann', euros, { payoutProvider })).body.payout.state).toBe('paid')
    expect(paidTo).toEqual(['acct_recorded'])
    expect((await findWithdrawable(rig.table.table, ann, 'EUR')).account).toBe('acct_recorded')
  })

  it('keeps the account while Stripe refuses to show it for another reason', async () => {
    const rig = await annReady('stripe')
    const { account } = await findWithdrawable(rig.table.table, ann, 'EUR')
    const stranger = stripePayouts({ url: rig.apiUrl, apiKey: 'a-revoked-key' }, 'https://shop.example')
    await expect(rig.ask('ann', euros, { payoutProvider: stranger })).rejects.toThrow('api_key_invalid')
    expect((await findWithdrawable(rig.table.table, ann, 'EUR')).account).toBe(account)
  })

  it('finds a transfer again after Stripe has forgotten its idempotency key (I5)', async () => {
    const rig = await annReady('stripe')
    const payout: Payout = {
      ...{ payoutId: 'payout-x', shopperId: ann, amount: 1230, currency: 'EUR', requestedAt: startOfPayouts },
      ...accountIn(rig),
    }
    const [account = ''] = rig.provider.connect.accounts.keys()
    const { connect } = rig.provider
    connect.transfers.push({
      ...{ id: 'tr_1', object: 'transfer', amount: 1230, currency: 'eur', destination: account },
      ...{ transfer_group: 'payout-x', reversed: false },
    })
    expect(await rig.ports.payoutProvider.payOut(payout)).toEqual({ kind: 'paid' })
    expect(connect.transfers).toHaveLength(1)
    await expect(rig.ports.payoutProvider.payOut({ ...payout, amount: 999 })).rejects.toThrow('not what was asked')
  })

  it('withdraws what Stripe can pay, and leaves the rest', async () => {
    const rig = await annReady('stripe')
    await rig.credit(ann, 1234, 'KWD')
    expect((await rig.ask('ann', { currency: 'KWD' })).body.payout).toMatchObject({
      amount: 1230,
      state: 'paid',
    })
    expect(await rig.balanceOf(ann, 'KWD')).toBe(4)
  })
})

describe('a withdrawal by the simulated provider', () => {
  it('is refused for an amount that ends in 99, and takes a minute for one in 98', async () => {
    const rig = await open('simulated')
    const bob = shopperNamed('bob')
    await rig.credit(ann, 1299)
    await rig.credit(bob, 1298)
    expect((await rig.ask('ann', euros)).body.payout).toMatchObject({ state: 'refused', reason: 'account' })
    expect(await rig.balanceOf(ann)).toBe(1299)
    expect((await rig.ask('bob', euros)).body.payout).toMatchObject({ state: 'requested' })
    expect(await rig.reconcile()).toBe(0)
    rig.clock.now += 60_000
    expect(await rig.reconcile()).toBe(1)
    expect(await rig.balanceOf(bob)).toBe(0)
  })
})

describe('attacks on payouts', () => {
  it.each([
    ['an amount of the attacker’s own', { currency: 'EUR', amount: 999_999 }, 400],
    ['a negative amount', { currency: 'EUR', amount: -1 }, 400],
    ['a payout of another shopper', { currency: 'EUR', payoutId: 'payout-1' }, 400],
    ['another shopper’s wallet', { currency: 'EUR', shopperId: 'bob' }, 400],
    ['a currency in small letters', { currency: 'eur' }, 400],
    ['a key of the table as currency', { currency: 'EUR#PAYOUT' }, 400],
    ['a name from the prototype', { currency: '__proto__' }, 400],
    ['no currency', {}, 400],
    ['a list', ['EUR'], 400],
    ['a currency that is not paid out', { currency: 'JPY' }, 409],
    ['a body of 100 bytes', { currency: 'E'.repeat(100) }, 413],
  ])('%s is refused, and takes nothing', async (_name, body, status) => {
    const rig = await annReady('simulated')
    expect((await rig.ask('ann', body)).status).toBe(status)
    expect(await rig.balanceOf(ann)).toBe(1230)
    expect(await duePayouts(rig.table.table)).toEqual([])
  })

  it('a stranger, an empty wallet and one below the minimum get nothing', async () => {
    const rig = await open('simulated')
    await rig.credit(ann, 99)
    expect((await rig.ask(undefined, euros)).status).toBe(401)
    expect((await rig.ask('ann', euros)).status).toBe(409)
    expect((await rig.ask('bob', euros)).status).toBe(409)
    expect((await rig.ask('ann', euros, { payoutTerms: undefined })).status).toBe(409)
    expect(await duePayouts(rig.table.table)).toEqual([])
  })

  it('an answer that comes after another one changes nothing, and is reported (I5)', async () => {
    const rig = await annReady('simulated')
    const late = { kind: 'refused', reason: 'account' } as const
    const raced = {
      ...rig.ports.payoutProvider,
      payOut: async (payout: Payout) => {
        await endPayout(rig.table.table, payout, { kind: 'paid' }, startOfPayouts)
        return late
      },
    }
    expect((await rig.ask('ann', euros, { payoutProvider: raced })).body.payout.state).toBe('requested')
    expect(await rig.balanceOf(ann)).toBe(0)
    expect(rig.telemetry.counted('MoneyContradicted')).toBe(1)
  })

  it('a stage that pays nothing out says so: the page has no button', async () => {
    const rig = await annReady('simulated')
    expect((await rig.look('ann')).body.minimums).toEqual({ EUR: 100, KWD: 100 })
    const { payoutTerms } = rig.ports
    rig.ports.payoutTerms = undefined
    expect((await rig.look('ann')).body).not.toHaveProperty('minimums')
    rig.ports.payoutTerms = payoutTerms
  })
})

describe('the statement', () => {
  it('has every movement with the balance after it, newest first, and all of them on request (N5)', async () => {
    const rig = await open('simulated')
    for (let i = 1; i <= 101; i += 1) {
      rig.clock.now += 1000
      await rig.credit(ann, i)
    }
    rig.clock.now += 1000
    await rig.ask('ann', euros)
    const { body } = await rig.look('ann')
    expect(body.statement).toHaveLength(100)
    expect(body.statement.slice(0, 2)).toMatchObject([
      { kind: 'payout', amount: -5151, balance: 0, state: 'paid' },
      { kind: 'credit', amount: 101, balance: 5151 },
    ])
    const all = (await rig.look('ann', 'statement=all')).body.statement
    expect(all).toHaveLength(102)
    expect(all.at(-1)).toMatchObject({ amount: 1, balance: 1 })
    expect((await rig.look('ann', 'statement=some')).status).toBe(400)
  })
})
