/** The kinds of stage that tests read, each under a name of its own; `synthesize.ts` describes them all at once. */
import { mergedOf } from '../../core/lib/fold.ts'
import { dev } from '../../infra/settings/dev.ts'
import { prod, prodSelling } from '../../infra/settings/prod.ts'
import { small, smallShop } from '../../infra/settings/small.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import { functions } from '../../options/registry/functions.ts'

/** Everything that settings can switch on. */
const full: StageSettings = {
  ...prodSelling(['goods', 'red-packet']),
  name: 'full',
  keepProvisioned: true,
  signIn: {
    kind: 'cognito',
    email: { from: 'Shop <codes@shop.example.com>', replyTo: 'help@shop.example.com', configurationSet: 'codes' },
    secondFactor: { claim: 'acr', values: ['urn:cognito:loa:2'] },
  },
  redeem: {},
  checkout: true,
  mail: { from: 'Shop <orders@shop.example>' },
  ...mergedOf(functions, 'everything'),
  gate: { attempt: 2, logRegions: ['us-east-1', 'eu-west-1', 'us-east-2'] },
  domain: {
    name: 'shop.example.com',
    certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/11111111-2222-3333-4444-555555555555',
    hostedZone: { id: 'Z0123456789ABCDEFGHIJ', name: 'example.com' },
  },
}

/** All that sending emails can be set to. */
export const mail = { from: 'Shop <orders@shop.example>', replyTo: 'help@shop.example', configurationSet: 'shop' }

/** The full stage with another issuer than the user pool, and the balances of red packets in the shop's own system. */
const issuer: StageSettings = {
  ...full,
  balanceUrl: 'https://shop.example.com/credit',
  name: 'issuer',
  mail,
  signIn: {
    kind: 'issuer',
    issuer: 'https://login.example.com',
    clientId: 'shop-7',
    scope: 'openid email',
    claims: { shopperId: 'email', roles: 'groups', roleNames: { Sales: 'marketer' } },
    secondFactor: { notRequired: 'the proxy in front asks for it' },
  },
}

/** In one region resources refer to each other without crossing regions. */
const one: StageSettings = { ...dev, name: 'one', region: 'us-east-1' }

export const stages = { prod, dev, small, full, issuer, one } satisfies Record<string, StageSettings>
/** The stage `small` after it has grown, which has the same name and so is synthesized apart. */
export const grown = smallShop('full')
export type StageKind = keyof typeof stages | 'grown'
