/** Declares the texts of an operation in the API description, its tags and its headers. */
import { clockHeader } from '../../core/gate/cors.ts'
import { idempotencyKeyShape, type JsonSchema } from './json-schema.ts'

export const tags = {
  shopper: 'What shoppers buy, claim, pay and have.',
  personal: 'What a shopper has said of themselves: addresses, contact, emails.',
  'sign-in': 'The session of a browser, by OpenID Connect.',
  till: 'What tills and web shops report with a shop key: coupons that were redeemed, orders that were paid in the shop.',
  provider: 'What the payment provider reports.',
  staff: 'Everything that the console and the command line do. Each call needs one of the roles that it names.',
  public: 'The time and the public state of sales.',
} as const

/** The authentication of a call. */
export type Access = 'public' | 'session' | 'shopKey' | 'signature'

export type OperationText = {
  tag: keyof typeof tags
  summary: string
  description?: string
  access?: Access
  headers?: readonly HeaderName[]
  /** The headers of the answer. */
  answers?: readonly AnswerHeader[]
}

type Header = { description: string; required?: true; schema: JsonSchema }

const anyText = { type: 'string' }

/** Headers of requests, except content type, session and signature. */
export const requestHeaders = {
  'Idempotency-Key': {
    description:
      'The same key again finds the same result. Without one a purchase is the only one of its shopper in this opening of the sale.',
    schema: idempotencyKeyShape,
  },
  'x-sluice-pass': {
    description:
      'The pass of the shopper, which a sale with `requirePass` asks for; the cookie `sluice_pass` does as well.',
    schema: anyText,
  },
  'x-sluice-seen': {
    description:
      'The newest pointer that this client has read, `<version>.<at>`: facts at the edge that are older refuse nothing.',
    schema: { type: 'string', pattern: '^[0-9]+[.][0-9]+$' },
  },
  Origin: { description: 'The page that asks. It must be one of the shop.', schema: anyText },
} as const satisfies Record<string, Header>

type HeaderName = keyof typeof requestHeaders

/** Headers of answers. */
export const answerHeaders = {
  'Retry-After': { description: 'Seconds until a repeat is worth while.', schema: { type: 'integer', minimum: 0 } },
  'x-sluice-gate': {
    description: '`refused`: the request has reached no function.',
    schema: { type: 'string', enum: ['refused'] },
  },
  'x-sluice-pass': { description: 'A new pass, when the former one ends soon.', schema: anyText },
  'x-sluice-next': {
    description: 'The `after` of the next part of the table; the last part has none.',
    schema: anyText,
  },
  [clockHeader]: { description: 'The time of the server, epoch ms.', schema: { type: 'integer' } },
  Location: { description: 'Where the browser goes.', schema: anyText },
} as const satisfies Record<string, Header>

export type AnswerHeader = keyof typeof answerHeaders

/** The texts of an option's operation, with examples of its body and answer. */
export type OptionText = OperationText & { examples: { body?: unknown; answer: unknown } }
