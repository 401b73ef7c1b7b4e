import { describe, expect, it } from 'vitest'
import { parseAddress } from '../../../core/gate/ip-address.ts'
import { defaultThrottle, saleDefinition } from '../../../core/sale/sale.ts'
import type { Answered } from '../../../proof/bench/fleet/fleet.ts'
import { type Bot, botsPerPerson, gatherPopulation, type Person } from '../../../proof/rush/swarm/population.ts'
import {
  allWins,
  falseRefusals,
  isFair,
  openTally,
  reportSwarm,
  type Setup,
  type SetupResult,
  setupSettings,
  setups,
  shareOfPeople,
} from '../../../proof/rush/swarm/report.ts'

const who = { shopperId: 's', token: 't', pass: undefined, address: '192.0.2.1' }
const person: Person = who
const bot: Bot = { ...who, kind: 'many-tokens', solves: true, machine: 0 }
const answered = (code: string): Answered => ({ status: 0, code, body: '', isForwarded: false })

it('the tally of a swarm counts what people and bots won, sent and were answered separately', () => {
  const tally = openTally()
  tally.note(person, answered('reserved'))
  tally.note(person, answered('too-many-requests'))
  tally.note(bot, answered('too-many-requests'))
  tally.note(bot, answered('repeat'))
  tally.note({ ...bot, kind: 'replay' }, answered('challenge-failed'))
  expect(tally.wins).toEqual({ people: 1, bots: { 'many-tokens': 1 } })
  expect(tally.requests).toEqual({ people: 2, bots: 3, losing: 3 })
  expect(tally.answers.get('too-many-requests')).toBe(2)
  expect(Object.fromEntries(tally.answersToPeople)).toEqual({ reserved: 1, 'too-many-requests': 1 })
  expect(allWins(tally)).toBe(2)
})

const bothLayers: Setup = { name: 'throttle + challenge', throttle: true, challenge: true, spreadSeconds: 0 }

/** A hundred units, all of them sold to people, and no person rejected by mistake in a thousand requests. */
function fair(): SetupResult {
  const { note: _, ...tally } = openTally()
  return {
    ...tally,
    wins: { people: 100, bots: {} },
    requests: { people: 1000, bots: 90_000, losing: 90_900 },
    answersToPeople: new Map([
      ['reserved', 100],
      ['sold-out', 900],
    ]),
    setup: bothLayers,
    stock: 100,
    booked: 100,
    load: { redisPerLosingRequest: 0.01, functionsPerLosingRequest: 0.0002, answersPerSecond: 5000 },
  }
}

function botsWin(played: SetupResult, units: number): void {
  played.wins.people -= units
  played.wins.bots = { replay: units }
}

describe('what is fair', () => {
  it.each<[string, boolean, (played: SetupResult) => void]>([
    ['that people have every unit', true, () => {}],
    ['that people have 95 %', true, (played) => botsWin(played, 5)],
    ['not that people have 94 %', false, (played) => botsWin(played, 6)],
    ['that 5 of 1,000 requests were refused wrongly', true, ({ answersToPeople }) => answersToPeople.set('blocked', 5)],
    ['not that 6 of them were', false, ({ answersToPeople }) => answersToPeople.set('blocked', 6)],
    [
      'not that they were refused for different reasons',
      false,
      ({ answersToPeople }) => {
        for (const code of ['too-many-requests', 'challenge-failed', 'challenge-required']) {
          answersToPeople.set(code, 2)
        }
      },
    ],
    ['that all late requests are refused', true, ({ answersToPeople }) => answersToPeople.set('unavailable', 500)],
    ['not that a unit was left over', false, (played) => Object.assign(played, { booked: 99 })],
    ['not that one too many was sold', false, (played) => Object.assign(played, { booked: 101 })],
    [
      'not that nothing was sold',
      false,
      (played) => Object.assign(played, { booked: 0, wins: { people: 0, bots: {} } }),
    ],
  ])('is %s', (_, expected, change) => {
    const played = fair()
    change(played)
    expect(isFair(played)).toBe(expected)
  })

  it.each(setups.filter(({ throttle, challenge }) => !throttle || !challenge))(
    'asks of "$name" only that exactly the stock is sold',
    (setup) => {
      const played = { ...fair(), setup }
      botsWin(played, 97)
      expect(isFair(played)).toBe(true)
      expect(isFair({ ...played, booked: 101 })).toBe(false)
    },
  )

  it('does not divide by zero without sales or clients', () => {
    const played = { ...fair(), booked: 0, requests: { people: 0, bots: 1, losing: 1 } }
    expect([shareOfPeople(played), falseRefusals(played)]).toEqual([0, 0])
  })
})

describe('the report of a swarm', () => {
  const options = { people: 200, stock: 100, seed: 7 }

  it('has one line for each setup, with every share, and says that the targets are met', () => {
    const bots = { ...fair(), setup: { name: 'every layer off', throttle: false, challenge: false, spreadSeconds: 0 } }
    botsWin(bots, 90)
    const { text, isReached } = reportSwarm([bots, fair()], options)
    expect(isReached).toBe(true)
    expect(text).toMatch(/^every layer off +100 of 100 +10\.0 % +replay 90 +0\.0 % +0\.0100 +0\.0002 +5000 +met$/m)
    expect(text).toMatch(/^throttle \+ challenge +100 of 100 +100\.0 % +- +0\.0 % .* met$/m)
    expect(text).toContain('(200 people, stock 100, seed 7)')
    expect(text).not.toContain('MISSED')
  })

  it('says which setup missed its target, and that the swarm did', () => {
    const missed = fair()
    botsWin(missed, 6)
    const { text, isReached } = reportSwarm([{ ...fair(), setup: { ...bothLayers, name: 'first' } }, missed], options)
    expect(isReached).toBe(false)
    expect(text).toMatch(/^first .* met$/m)
    expect(text).toMatch(/^throttle \+ challenge .* 94\.0 % +replay 6 .* MISSED$/m)
  })
})

it('the setups play every layer alone and together, each as a sale may be defined', () => {
  expect(new Set(setups.map(({ throttle, challenge }) => `${throttle} ${challenge}`)).size).toBe(4)
  expect(setups.filter(({ spreadSeconds }) => spreadSeconds > 0)).toMatchObject([{ throttle: true, challenge: true }])
  for (const setup of setups) {
    const sale = saleDefinition.safeParse({
      saleId: 'swarm-1',
      kind: 'goods',
      title: 'Swarm',
      description: 'A sale that a swarm comes to.',
      pictures: [{ src: '/assets/pictures/mug.svg', alt: 'The product' }],
      price: 10,
      currency: 'CNY',
      stock: 100,
      limitPerShopper: 1,
      maxPerOrder: 1,
      startsAt: 0,
      endsAt: 1,
      ...setupSettings(setup),
    })
    expect(sale).toMatchObject({ success: true, data: { challenge: setup.challenge ? 'pow' : 'off' } })
  }
  expect(setupSettings(bothLayers).throttle, 'what a sale has that says nothing').toEqual(defaultThrottle)
})

describe('the population of a swarm', () => {
  const people = 100

  it('has ten bots for each person, a quarter of the people in one office, and no shopper in two roles', async () => {
    const { people: persons, bots } = await gatherPopulation(shop, people, 'a', silent)
    expect(persons).toHaveLength(people)
    expect(bots).toHaveLength(people * botsPerPerson)
    const byAddress = Map.groupBy(persons, ({ address }) => address)
    expect(byAddress.get('192.0.2.1')).toHaveLength(people / 4)
    expect(byAddress.size, 'all others have one each').toBe(1 + (people * 3) / 4)
    const ofPeople = new Set(persons.map(({ shopperId }) => shopperId))
    expect(ofPeople.size).toBe(people)
    expect(bots.filter(({ shopperId }) => ofPeople.has(shopperId))).toEqual([])
    for (const { address } of [...persons, ...bots]) expect(parseAddress(address), address).toBeDefined()
    expect(
      bots.filter(({ address }) => byAddress.has(address)),
      'no bot hides behind people',
    ).toEqual([])
  })

  it('has every kind of bot in its share, and those that cannot solve a challenge', async () => {
    const { bots } = await gatherPopulation(shop, people, 'b', silent)
    const counts = Object.fromEntries(
      [...Map.groupBy(bots, ({ kind }) => kind)].map(([kind, some]) => [kind, some.length]),
    )
    expect(counts).toEqual({
      'one-token': 300,
      'many-tokens': 200,
      replay: 200,
      forged: 100,
      'random-sales': 100,
      early: 100,
    })
    const tokensOf = (kind: Bot['kind']) => new Set(bots.filter((one) => one.kind === kind).map(({ token }) => token))
    expect(tokensOf('one-token').size, 'one for each machine of fifty').toBe(6)
    expect(tokensOf('many-tokens').size).toBe(200)
    for (const { kind, solves } of bots) {
      expect(solves, kind).toBe(['one-token', 'many-tokens', 'replay'].includes(kind))
    }
  })

  it('puts fifty bots of one kind behind each machine’s address, except early ones', async () => {
    const { bots } = await gatherPopulation(shop, people, 'c', silent)
    for (const [number, some] of Map.groupBy(bots, ({ machine }) => machine)) {
      expect(some, `machine ${number}`).toHaveLength(50)
      const [kinds, addresses] = [some.map(({ kind }) => kind), some.map(({ address }) => address)]
      expect(new Set(kinds).size).toBe(1)
      expect(new Set(addresses).size).toBe(kinds[0] === 'early' ? 50 : 1)
    }
  })

  const silent = () => ({ to: () => {}, end: () => {} })
})

/** What gives sessions, and passes for them. */
const shop = {
  token: async (shopperId: string, life = {}) => `head.${shopperId} ${JSON.stringify(life)}.signature of ${shopperId}`,
  pass: async (session: string) => `pass of ${session}`,
}
