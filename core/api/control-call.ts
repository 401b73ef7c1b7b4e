/** How clients call the operations of `/api/control`: each by its name, with all that it takes in one object. */
import type * as z from 'zod/mini'
import type { controlApi } from './control-answers.ts'
import type { controlOperations } from './control-requests.ts'
import type { ControlCall } from './control-routes.ts'
import type { AnswerOf } from './operation.ts'

/** The calls that answer with JSON. */
export type JsonCall = Exclude<ControlCall, 'getOrders' | 'getCoupons' | 'getPackets'>

export type ControlAnswer<Name extends JsonCall> = AnswerOf<(typeof controlApi)[Name]>

/** The parameters in a path. */
type Params<Path extends string> = Path extends `${string}:${infer Name}/${infer CallInput}`
  ? Name | Params<`/${CallInput}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

type ParamsOf<Name extends JsonCall> = Params<(typeof controlApi)[Name]['path']>

/** A body with ids and words as they were typed: the API checks them. */
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

/** What a call takes beside the parameters of its path. With a `key` it takes effect once, also when it is repeated. */
export type CallInput = { query?: Record<string, string>; body?: unknown; key?: string | undefined }

type CallArgument<Name extends JsonCall> = Omit<CallInput, 'body'> & { body?: BodyOf<Name> } & Record<
    ParamsOf<Name>,
    string
  >

/** The arguments of a call: none where its path has no parameter, or one object. `More` is what the client itself reads of it. */
export type CallArguments<Name extends JsonCall, More = object> =
  ParamsOf<Name> extends never ? [asked?: CallArgument<Name> & More] : [asked: CallArgument<Name> & More]
