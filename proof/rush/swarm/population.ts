/**
 * The clients of a swarm: honest shoppers, some of them from one office, and ten bots for each. A bot sends a hundred
 * times as many requests as a person; a machine of bots has one address and a constant number of bots.
 */
import type { ShopperSession } from '../../../cli/control-client.ts'
import type { StartStep } from '../../../cli/progress.ts'
import type { Stack } from '../../../local/stack.ts'

/** What a bot does besides sending too many requests. */
export type BotKind = 'one-token' | 'many-tokens' | 'replay' | 'forged' | 'random-sales' | 'early'

type Client = ShopperSession & { shopperId: string; address: string }

export type Person = Client

/**
 * `solves`: whether its program can solve a challenge; `machine` is the number of the computer it shares with others.
 */
export type Bot = Client & { kind: BotKind; solves: boolean; machine: number }

export type Population = { people: readonly Person[]; bots: readonly Bot[] }

/** `pass` gets the pass of a session. */
type SignIn = Pick<Stack, 'token'> & { pass(token: string): Promise<string | undefined> }

export const botsPerPerson = 10
const botsPerMachine = 50

/** A quarter of all people share the address of one office (R3). */
const officeShare = 0.25

/** Kinds of bots and their shares in tenths; which of them can solve a challenge is an assumption. */
const kinds: readonly { kind: BotKind; tenths: number; solves: boolean }[] = [
  { kind: 'one-token', tenths: 3, solves: true },
  { kind: 'many-tokens', tenths: 2, solves: true },
  { kind: 'replay', tenths: 2, solves: true },
  { kind: 'forged', tenths: 1, solves: false },
  { kind: 'random-sales', tenths: 1, solves: false },
  { kind: 'early', tenths: 1, solves: false },
]

/**
 * `setup` keeps the shoppers of one setup apart from those of the next. A bot with a session gets a pass
 * as every shopper does.
 */
export async function gatherPopulation(
  shop: SignIn,
  people: number,
  setup: string,
  startStep: StartStep,
): Promise<Population> {
  const step = startStep('signing in', people * (1 + botsPerPerson))
  let done = 0
  const signed = async (shopperId: string): Promise<ShopperSession> => {
    done += 1
    step.to(done)
    const token = await shop.token(shopperId)
    return { token, pass: await shop.pass(token) }
  }
  const persons: Person[] = []
  for (let i = 0; i < people; i += 1) {
    const shopperId = `person-${setup}-${i}`
    const address = i < people * officeShare ? '192.0.2.1' : `10.1.${i >> 8}.${i & 255}`
    persons.push({ shopperId, ...(await signed(shopperId)), address })
  }
  const bots: Bot[] = []
  for (const { kind, tenths, solves } of kinds) {
    const count = Math.round((people * botsPerPerson * tenths) / 10)
    let shared: ShopperSession = { token: '', pass: undefined }
    for (let i = 0; i < count; i += 1) {
      const machine = bots.length
      const at = i % botsPerMachine
      const group = `${kind}-${Math.floor(i / botsPerMachine)}`
      const shopperId = kind === 'one-token' ? `bot-${setup}-${group}` : `bot-${setup}-${kind}-${i}`
      if (kind !== 'one-token' || at === 0) shared = await sessionOf({ shop, signed }, kind, shopperId, i)
      const address = addressOf(kind === 'early' ? machine : machine - at)
      bots.push({ kind, solves, shopperId, ...shared, address, machine: machine - at })
    }
  }
  step.end()
  return { people: persons, bots }
}

/** Forgers have an expired token, or one with the signature of another and the pass of that one. */
async function sessionOf(
  { shop, signed }: { shop: SignIn; signed: (shopperId: string) => Promise<ShopperSession> },
  kind: BotKind,
  shopperId: string,
  i: number,
): Promise<ShopperSession> {
  if (kind !== 'forged') return signed(shopperId)
  if (i % 2 === 0) {
    return { token: await shop.token(shopperId, { expiresInSeconds: -60 }), pass: undefined }
  }
  const [head, payload] = (await shop.token('person-of-importance')).split('.')
  const { token, pass } = await signed(shopperId)
  const [, , signature] = token.split('.')
  return { token: `${head}.${payload}.${signature}`, pass }
}

/** Bots of one machine share its address; those that send early have a machine each. */
function addressOf(machine: number): string {
  return `10.2.${machine >> 8}.${machine & 255}`
}
