/**
 * The https address of the shop. CloudFront chooses that of a shop without a domain, when the stacks `data` and `app`
 * exist already: theirs is the parameter `ShopUrl`, which `npm run deploy` sets to the output of the stack `edge`.
 */
import { CfnParameter, Stack } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import type { StageSettings } from '../settings/stage.ts'

/** Called once in a stack. */
export function shopAddress(scope: Construct, { domain }: Pick<StageSettings, 'domain'>): string {
  if (domain !== undefined) return `https://${domain.name}`
  return new CfnParameter(Stack.of(scope), 'ShopUrl', {
    description: 'Address of the shop',
    // Until then no sign-in and no payment comes back; `.invalid` is never registered (RFC 2606).
    default: 'https://shop.invalid',
    allowedPattern: '^https://[a-z0-9.-]+$',
  }).valueAsString
}
