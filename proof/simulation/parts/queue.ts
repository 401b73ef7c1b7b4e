/**
 * A queue like SQS in virtual time. It delivers messages in any order and sometimes twice, hides a received message for
 * a while, redelivers it unless it is deleted, and moves it to the dead-letter queue after `maxReceives`.
 */
import type { Simulation } from '../engine/simulation.ts'

export type ReceivedMessage = { messageId: string; body: string; handle: string }

type Message = {
  messageId: string
  body: string
  visibleAt: number
  receives: number
  handle: string
  retries: number
  putAt: number
}

/** A dead letter; `reason` is given when the message can never succeed. */
type DeadLetter = { body: string; retries: number; reason?: string }

export type QueueRules = { name: string; visibilityMs: number; maxReceives: number }

export type SimulatedQueue = ReturnType<typeof simulatedQueue>

/** The limit of automatic retries in the real adapter. */
const maxRetries = 3

/** The probability that a message in flight also goes to a second receiver. */
const twiceRate = 0.03

type Lifetime = { from: number; to: number }

export function simulatedQueue(simulation: Simulation, rules: QueueRules) {
  const { now, random, trace, profile } = simulation
  const messages: Message[] = []
  const dead: DeadLetter[] = []
  /** The lifetime of each deleted message. */
  const deleted: Lifetime[] = []
  const { wake, wait } = openWaiters()
  let made = 0

  const put = (body: string, delayMs: number, retries: number) => {
    made += 1
    const messageId = `${rules.name}-${made}`
    const fresh = { receives: 0, handle: '', retries, putAt: now() }
    messages.push({ messageId, body, visibleAt: now() + delayMs, ...fresh })
    simulation.alarm(delayMs, wake)
  }

  const takeOut = (at: number) => {
    for (const { putAt } of messages.splice(at, 1)) deleted.push({ from: putAt, to: now() })
  }

  const moveToDlq = (message: Message) => {
    takeOut(messages.indexOf(message))
    dead.push({ body: message.body, retries: message.retries })
    trace.write(rules.name, `message ${message.messageId} exceeded its receives and is now a dead letter`)
  }

  return {
    name: rules.name,
    dead: dead as readonly DeadLetter[],
    put: (body: string, delayMs = 0): void => put(body, delayMs, 0),
    receive(max: number): ReceivedMessage[] {
      const received: ReceivedMessage[] = []
      for (let left = max; left > 0; left -= 1) {
        const visible = messages.filter(({ visibleAt }) => visibleAt <= now())
        const out = messages.filter(({ receives, visibleAt }) => receives > 0 && visibleAt > now())
        const isTwice = out.length > 0 && profile.rate > 0 && random.chance(twiceRate)
        if (visible.length === 0 && !isTwice) break
        const message = random.pick(isTwice ? out : visible)
        if (received.some(({ messageId }) => messageId === message.messageId)) continue
        if (isTwice) trace.countFault(`sqs ${rules.name}`, 'delivered twice')
        if (message.receives >= rules.maxReceives) {
          moveToDlq(message)
          continue
        }
        message.receives += 1
        message.visibleAt = now() + rules.visibilityMs
        message.handle = `${message.messageId}/${message.receives}`
        simulation.alarm(rules.visibilityMs, wake)
        received.push({ messageId: message.messageId, body: message.body, handle: message.handle })
      }
      return received
    },
    remove(handles: readonly string[]): void {
      for (const handle of handles) {
        // Only the handle of the last receive deletes a message.
        const at = messages.findIndex((message) => message.handle === handle)
        if (at !== -1) takeOut(at)
      }
    },
    /** Resolves when a message may be ready to receive. */
    untilVisible: () => (messages.some(({ visibleAt }) => visibleAt <= now()) ? Promise.resolve() : wait()),
    bodies: (): readonly string[] => messages.map(({ body }) => body),
    /** Returns the depth at `asOf`; for a past time, messages in flight or delayed count as visible. */
    depth: (asOf = now()) => depthAt(asOf, now(), messages, deleted),
    rejectToDlq: (body: string, reason: string): void => void dead.push({ body, retries: 0, reason }),
    ...deadLetterRetries(dead, (body, retries) => put(body, 0, retries)),
  }
}

function depthAt(asOf: number, now: number, messages: readonly Message[], deleted: readonly Lifetime[]) {
  if (asOf < now) {
    const there = messages.filter(({ putAt }) => putAt <= asOf).length
    const visible = there + deleted.filter(({ from, to }) => from <= asOf && asOf < to).length
    return { visible, inFlight: 0, delayed: 0 }
  }
  const hidden = messages.filter(({ visibleAt }) => visibleAt > now)
  const inFlight = hidden.filter(({ receives }) => receives > 0).length
  return { visible: messages.length - hidden.length, inFlight, delayed: hidden.length - inFlight }
}

function deadLetterRetries(dead: DeadLetter[], put: (body: string, retries: number) => void) {
  const isRetriable = ({ retries, reason }: DeadLetter) => reason === undefined && retries < maxRetries
  return {
    /** Puts all dead letters back. */
    redrive(): void {
      for (const { body } of dead.splice(0)) put(body, 0)
    },
    /** Returns the dead letters that may still succeed and have retries left. */
    retriable: (): readonly DeadLetter[] => dead.filter(isRetriable),
    /** Puts the `retriable` ones back; returns how many. */
    retry(): number {
      const { again = [], hopeless = [] } = Object.groupBy(dead.splice(0), (letter) =>
        isRetriable(letter) ? 'again' : 'hopeless',
      )
      dead.push(...hopeless)
      for (const { body, retries } of again) put(body, retries + 1)
      return again.length
    },
  }
}

function openWaiters() {
  let waiting: (() => void)[] = []
  return {
    wake(): void {
      const woken = waiting
      waiting = []
      for (const go of woken) go()
    },
    wait: () =>
      new Promise<void>((resolve) => {
        waiting.push(resolve)
      }),
  }
}
