/**
 * The https address of the shop. CloudFront chooses that of a shop without a domain, when the stacks `data` and `app`
 * exist already: theirs is the parameter `ShopUrl`, which `npm run deploy` sets to the output of the stack `edge`.
 */
import { CfnParameter, type Stack } from 'aws-cdk-lib'
import type { StageSettings } from '../settings/stage.ts'

/** For one call in a stack. */
export function shopAddress(stack: Stack, { domain }: Pick<StageSettings, 'domain'>): string {
  if (domain !== undefined) return `https://${domain.name}`
  return new CfnParameter(stack, 'ShopUrl', {
    description: 'Address of the shop',
    // Until then no sign-in and no payment comes back; `.invalid` is never registered (RFC 2606).
    default: 'https://shop.invalid',
    allowedPattern: '^https://[a-z0-9.-]+$',
  }).valueAsString
}
