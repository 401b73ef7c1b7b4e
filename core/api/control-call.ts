/** Types for clients of `/api/control`, which call each operation by its name with one object of arguments. */
import type * as z from 'zod/mini'
import type { controlApi } from './control-answers.ts'
import type { controlOperations } from './control-requests.ts'
import type { ControlCall } from './control-routes.ts'
import type { AnswerOf } from './operation.ts'

/** The calls that answer with JSON. */
export type JsonCall = Exclude<ControlCall, 'getOrders' | 'getCoupons' | 'getPackets'>

export type ControlAnswer<Name extends JsonCall> = AnswerOf<(typeof controlApi)[Name]>

type Params<Path extends string> = Path extends `${string}:${infer Name}/${infer CallInput}`
  ? Name | Params<`/${CallInput}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

type ParamsOf<Name extends JsonCall> = Params<(typeof controlApi)[Name]['path']>

/** A body whose ids and enums may be any text, as a user typed it; the API validates them. */
type UncheckedBody<T> = T extends string
  ? string
  : T extends object
    ? { readonly [Field in keyof T]: UncheckedBody<T[Field]> }
    : T

type BodyOf<Name extends JsonCall> = (typeof controlOperations)[Name] extends {
  body: { schema: infer S extends z.core.$ZodType }
}
  ? UncheckedBody<z.input<S>>
  : never

/** The arguments of a call without the parameters of its path. With a `key` a repeated call takes effect once. */
export type CallInput = { query?: Record<string, string>; body?: unknown; key?: string | undefined }

type CallArgument<Name extends JsonCall> = Omit<CallInput, 'body'> & { body?: BodyOf<Name> } & Record<
    ParamsOf<Name>,
    string
  >

/** The arguments of a call: one object, optional if its path has no parameter. `More` are options of the client itself. */
export type CallArguments<Name extends JsonCall, More = object> =
  ParamsOf<Name> extends never ? [asked?: CallArgument<Name> & More] : [asked: CallArgument<Name> & More]
