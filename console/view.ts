/** Declares the context of the console's views, and describes refusals of calls. */
import { type ComponentChild, type ComponentType, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { FailedReply } from '../client/http.ts'
import type { ControlCall } from '../core/api/control-routes.ts'
import { orderStatuses } from '../core/orders/order.ts'
import { type Role, roles } from '../core/roles.ts'
import { knownProblemKey, refusalKey } from '../templates/messages/codes.ts'
import type { Arguments } from '../templates/messages/text.ts'
import type { Voice } from '../web/voice.ts'
import { fieldsOf } from '../web/wire.ts'
import { fieldKey, type Key } from './parts/kind-words.ts'

export type ConsoleVoice = Voice<Key>

export type ViewContext = {
  voice: ConsoleVoice
  /** Draws the view, or changes what differs from what it drew before. */
  draw(view: ComponentChild): void
  /** True once another view was opened or a notice replaced this one. */
  isLeft(): boolean
  /** Marks the page as busy until the next view is drawn. */
  wait(isWaiting: boolean): void
  /** One line of news under the tabs; `passes` after some seconds, as what was done does. */
  announce(text: string, isPassing?: 'passes'): void
  /** True when the signed-in person may make the call. */
  may(call: ControlCall): boolean
  /** Says why a call failed; true when the view has gone, because it needs another session or role. */
  explain(reply: FailedReply): boolean
  /** Opens another view, with a line of news about what was done in this one. */
  go(hash: string, news?: string): void
  /** Makes the console ask before it leaves this view with unsaved input. */
  keep(isDirty: () => boolean): void
}

/** A page behind "Settings": `needs` is the call without which it says nothing; `load` loads its script. */
export type SettingsPage = { name: string; needs: ControlCall; load(): Promise<ComponentType> }

/** The address of the view that a tab for signing in comes back to. */
export const signedInHash = '#/signed-in'

/** True when the call failed without a session. */
export const isStranger = ({ problem }: FailedReply): boolean => problem?.code === 'sign-in-required'

/** True when the call failed for want of a session or role. A refund above the limit has a reason, and is not meant. */
export const needsSignIn = (reply: FailedReply): boolean =>
  isStranger(reply) || (reply.problem?.code === 'role-required' && reply.problem.reason === undefined)

/** The sentence for a refused call. The API describes an invalid field in English only. */
export function reasonText(voice: ConsoleVoice, reply: FailedReply): string {
  if (reply.problem === undefined) return voice.t('console.failed')
  const { code, detail, reason, values, remaining = 0 } = reply.problem
  const refused = reason === undefined ? undefined : refusalKey(reason)
  if (refused !== undefined) return voice.t(refused, argumentsOf(voice, values))
  const speaksEnglish = voice.locale().startsWith('en')
  if (speaksEnglish && detail !== '' && code === 'invalid-request') return detail
  return voice.t(knownProblemKey(code), {
    roles: roleList(voice, rolesIn(reply.problem.roles), 'disjunction'),
    remaining,
    seconds: reply.retryAfterSeconds ?? 10,
  })
}

/** `marketer or viewer`, in the reader's language. */
export function roleList(voice: ConsoleVoice, roles: readonly Role[], type: Intl.ListFormatType): string {
  const names = roles.map((role) => voice.t(`role.${role}`))
  return new Intl.ListFormat(voice.locale(), { type }).format(names)
}

/** The roles that a refusal names. */
function rolesIn(value: unknown): readonly Role[] {
  return roles.filter((role) => Array.isArray(value) && value.includes(role))
}

/** The values of a refusal, or of a complaint in a form. An order's status and a field of a sale are codes; everything else is shown as given. */
export function argumentsOf(voice: ConsoleVoice, value: unknown): Arguments {
  // The values of a refusal as they are given.
  const values: Arguments = Object.fromEntries(Object.entries(fieldsOf(value) ?? {}).filter(isArgument))
  const status = orderStatuses.find((known) => known === values.status)
  const field = typeof values.field === 'string' ? fieldKey(values.field) : undefined
  return {
    ...values,
    ...(status && { status: voice.t(`order.status.${status}`) }),
    ...(field && { field: voice.t(field) }),
  }
}

function isArgument(entry: [string, unknown]): entry is [string, string | number] {
  return typeof entry[1] === 'string' || typeof entry[1] === 'number'
}

/** Returns the text for a failed idempotent call, whose effect may be unknown. */
export function failureText(voice: ConsoleVoice, reply: FailedReply): string {
  return reply.kind === 'lost' ? voice.t('care.unsure') : reasonText(voice, reply)
}

/** The page gives its context to all components of a view. */
export const ViewPlace = createContext<ViewContext | undefined>(undefined)

/** @throws outside of a view */
export function useView(): ViewContext {
  const context = useContext(ViewPlace)
  if (context === undefined) throw new Error('a component of a view is drawn outside of one')
  return context
}
