/** What every view of the console is given, and what it gives back. */
import type { consoleMessages } from '../../messages/console.ts'
import { problemKey } from '../../messages/problems.ts'
import type { Voice } from '../voice.ts'
import type { Refused } from './api.ts'

export type ConsoleVoice = Voice<keyof typeof consoleMessages>

export type Desk = {
  voice: ConsoleVoice
  /** Draws into the view's place. */
  show(...nodes: Node[]): void
  /** One line of news under the tabs. */
  tell(text: string): void
  /** Says why a call failed. True when that took the view's place, because only a marketer may see it. */
  explain(reply: Refused): boolean
  go(hash: string): void
  /** Has the marketer asked before this view is left with something in it that is not saved. */
  keep(unsaved: Unsaved): void
}

/** What is entered and not saved. `redraw` draws it anew in another language. */
export type Unsaved = { isDirty(): boolean; redraw(): void }

/** Stops what the view keeps running. */
export type Leave = () => void

/** The address of the view that a tab for signing in comes back to. */
export const signedInHash = '#/signed-in'

/** Whether the call failed because nobody is signed in who may make it. */
export function needsSignIn(reply: Refused): boolean {
  const code = reply.kind === 'refused' ? reply.problem?.code : undefined
  return code === 'sign-in-required' || code === 'role-required'
}

/** The sentence for a refused call: the function's own words where they name something, else ours. */
export function reasonText(voice: ConsoleVoice, reply: Refused): string {
  if (reply.kind === 'lost' || reply.problem === undefined) return voice.t('console.failed')
  const { code, detail } = reply.problem
  const speaksEnglish = voice.locale().startsWith('en')
  if (speaksEnglish && detail !== '' && (code === 'conflict' || code === 'invalid-request')) return detail
  return voice.t(problemKey(code), {
    remaining: reply.problem.remaining ?? 0,
    seconds: reply.retryAfterSeconds ?? 10,
  })
}

/** The same for a call that may be asked for again: without a definite answer nobody knows whether it was done. */
export function failureText(voice: ConsoleVoice, reply: Refused): string {
  return reply.kind === 'lost' ? voice.t('care.unsure') : reasonText(voice, reply)
}
