/**
 * A queue with the habits of SQS, on virtual time: it hands messages out in any order and now and then twice, hides
 * what it handed out for a while, shows it again when nobody deletes it, and puts aside what came too often.
 */
import type { Simulation } from '../engine/simulation.ts'

export type Received = { messageId: string; body: string; handle: string }

type Message = {
  messageId: string
  body: string
  visibleAt: number
  receives: number
  handle: string
  retries: number
  putAt: number
}

/** A message put aside; `reason` is given where nothing can ever be made of it. */
export type DeadLetter = { body: string; retries: number; reason?: string }

export type QueueRules = { name: string; visibilityMs: number; maxReceives: number }

export type SimulatedQueue = {
  name: string
  put: (body: string, delayMs?: number) => void
  receive: (max: number) => Received[]
  remove: (handles: readonly string[]) => void
  /** Resolves when a message may be there to receive. */
  untilVisible: () => Promise<void>
  bodies: () => readonly string[]
  /** As it was at `asOf`; what was in flight or delayed then is counted as visible where that is past. */
  depth: (asOf?: number) => { visible: number; inFlight: number; delayed: number }
  dead: readonly DeadLetter[]
  rejectToDlq: (body: string, reason: string) => void
  /** Puts everything back that was put aside. */
  redrive: () => void
  /** Puts back what may yet succeed and was not tried too often, and answers how many that were. */
  retry: () => number
}

/** As often as the real adapter sends a dead letter again by itself. */
const maxRetries = 3

/** How often a message that is out with one receiver goes to a second one as well. */
const twiceRate = 0.03

export function simulatedQueue(simulation: Simulation, rules: QueueRules): SimulatedQueue {
  const { now, dice, diary, weather } = simulation
  const messages: Message[] = []
  const dead: DeadLetter[] = []
  /** From when to when each message was there that is gone. */
  const gone: { from: number; to: number }[] = []
  let waiting: (() => void)[] = []
  let made = 0

  const wake = () => {
    const woken = waiting
    waiting = []
    for (const go of woken) go()
  }

  const put = (body: string, delayMs: number, retries: number) => {
    made += 1
    const messageId = `${rules.name}-${made}`
    const fresh = { receives: 0, handle: '', retries, putAt: now() }
    messages.push({ messageId, body, visibleAt: now() + delayMs, ...fresh })
    simulation.alarm(delayMs, wake)
  }

  const takeOut = (at: number) => {
    for (const { putAt } of messages.splice(at, 1)) gone.push({ from: putAt, to: now() })
  }

  const giveUp = (message: Message) => {
    takeOut(messages.indexOf(message))
    dead.push({ body: message.body, retries: message.retries })
    diary.write(rules.name, `message ${message.messageId} came too often and is put aside`)
  }

  return {
    name: rules.name,
    dead,
    put: (body, delayMs = 0) => put(body, delayMs, 0),
    receive(max) {
      const received: Received[] = []
      for (let left = max; left > 0; left -= 1) {
        const visible = messages.filter(({ visibleAt }) => visibleAt <= now())
        const out = messages.filter(({ receives, visibleAt }) => receives > 0 && visibleAt > now())
        const isTwice = out.length > 0 && weather.rate > 0 && dice.chance(twiceRate)
        if (visible.length === 0 && !isTwice) break
        const message = dice.pick(isTwice ? out : visible)
        if (received.some(({ messageId }) => messageId === message.messageId)) continue
        if (isTwice) diary.strikes(`sqs ${rules.name}`, 'delivered twice')
        if (message.receives >= rules.maxReceives) {
          giveUp(message)
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
    remove(handles) {
      for (const handle of handles) {
        // A handle of an earlier receive still deletes, as long as the message was not received again.
        const at = messages.findIndex((message) => message.handle === handle)
        if (at !== -1) takeOut(at)
      }
    },
    untilVisible: () =>
      messages.some(({ visibleAt }) => visibleAt <= now())
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.push(resolve)
          }),
    bodies: () => messages.map(({ body }) => body),
    depth(asOf = now()) {
      if (asOf < now()) {
        const there = messages.filter(({ putAt }) => putAt <= asOf).length
        const visible = there + gone.filter(({ from, to }) => from <= asOf && asOf < to).length
        return { visible, inFlight: 0, delayed: 0 }
      }
      const hidden = messages.filter(({ visibleAt }) => visibleAt > now())
      const inFlight = hidden.filter(({ receives }) => receives > 0).length
      return { visible: messages.length - hidden.length, inFlight, delayed: hidden.length - inFlight }
    },
    rejectToDlq: (body, reason) => void dead.push({ body, retries: 0, reason }),
    redrive() {
      for (const { body } of dead.splice(0)) put(body, 0, 0)
    },
    retry() {
      const { again = [], hopeless = [] } = Object.groupBy(dead.splice(0), ({ retries, reason }) =>
        reason === undefined && retries < maxRetries ? 'again' : 'hopeless',
      )
      dead.push(...hopeless)
      for (const { body, retries } of again) put(body, 0, retries + 1)
      return again.length
    },
  }
}
